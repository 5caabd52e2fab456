#!/usr/bin/env python3
"""bench/cases/moving_boxes.py COUNT still|driven|free [one] > SCENE.yaml

Writes the scene of dam_break_block.yaml with COUNT boxes on the floor in front of the block: 0, 4 of 0.25 m, 64 of 0.0625 m, or
1000 of 0.025 m in five layers. Driven ones rise at 0.01 m/s; free ones have a density of 600 kg/m^3. With "one" all boxes are
one solid, from a mesh in moving_boxes_COUNT.obj, which is written beside the scene, into the working folder; it cannot be free.
"""

import pathlib
import sys

EDGES = {0: 0.0, 4: 0.25, 64: 0.0625, 1000: 0.025}
PATTERNS = {0: (0, 0, 0), 4: (2, 1, 2), 64: (8, 1, 8), 1000: (20, 5, 10)}
MOTIONS = {
    "still": "",
    "driven": ", motion: {velocity: [0, 0.01, 0]}",
    "free": ", motion: free, density: 600",
}
BEGIN, LENGTH, DEPTH, LAYER = 1.0, 0.95, 0.82, 0.06  # [m] of the pattern


def corners(count):
    """The lowest corner of each box."""
    edge, (nx, ny, nz) = EDGES[count], PATTERNS[count]
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                x = BEGIN + (i + 0.5) * LENGTH / nx - edge / 2
                yield x, j * LAYER + (0.01 if ny > 1 else 0.0), (k + 0.5) * DEPTH / nz - edge / 2


def mesh(count):
    edge, lines = EDGES[count], []
    for b, (x, y, z) in enumerate(corners(count)):
        for c in range(8):
            lines.append(f"v {x + edge * (c & 1):.6f} {y + edge * (c >> 1 & 1):.6f} {z + edge * (c >> 2):.6f}")
        for face in ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)):
            lines.append("f " + " ".join(str(8 * b + c + 1) for c in face))
    return "\n".join(lines) + "\n"


def main():
    words = sys.argv[1:]
    one = words[2:] == ["one"]
    if len(words) != (3 if one else 2) or not words[0].isdigit() or int(words[0]) not in EDGES or words[1] not in MOTIONS:
        sys.exit(__doc__)
    count, motion = int(words[0]), words[1]
    if one and motion == "free":
        sys.exit('moving_boxes.py: found "free one", allowed: "still one" or "driven one"')
    print(pathlib.Path(__file__).with_name("dam_break_block.yaml").read_text())
    if count == 0:
        return
    print("solids:")
    if one:
        file = f"moving_boxes_{count}.obj"
        pathlib.Path(file).write_text(mesh(count))
        print(f"  - {{name: boxes, mesh: {{file: {file}}}{MOTIONS[motion]}}}")
        return
    edge = EDGES[count]
    for b, (x, y, z) in enumerate(corners(count)):
        low = f"[{x:.6f}, {y:.6f}, {z:.6f}]"
        high = f"[{x + edge:.6f}, {y + edge:.6f}, {z + edge:.6f}]"
        print(f"  - {{name: box {b + 1}, box: {{min: {low}, max: {high}}}{MOTIONS[motion]}}}")


if __name__ == "__main__":
    main()
