"""Files of surfaces are what other programs read: surface_files_test.py PROGRAM [unittest options]

Each format is read by a reader of this file, from the format's published description. A run repeats on the CPU, so all formats
must have the same vertices, normals and triangles. Besides, they are read by the modules of other programs, where Python has them:
vtk, trimesh and pxr (PyPI's usd-core).
"""

import importlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from written_files import as_float, module

PROGRAM = os.path.abspath(sys.argv.pop(1))

# Two fluids side by side, one of them with a name that formats must put into words of theirs.
SCENE = """dimension: 3
domain: {min: [0, 0, 0], max: [1, 1, 0.6], axes: walled}
particles: {spacing: 0.05}
fluids: [{name: water}, {name: 'fine "oil" -- 2', rest_density: 800, color: [1, 0.5, 0]}]
solver: {type: wcsph}
time: {end: 0.05}
bodies:
  - {fluid: water, box: {min: [0, 0, 0], max: [0.5, 0.5, 0.6]}}
  - {fluid: 'fine "oil" -- 2', box: {min: [0.5, 0, 0], max: [1, 0.3, 0.6]}}
"""


class Surface:
    """Of one fluid: vertices and normals as triples of floats, triangles as triples of numbers from 0."""

    def __init__(self):
        self.vertices, self.normals, self.triangles = [], [], []

    def volume(self):
        total = 0
        for a, b, c in self.triangles:
            (ax, ay, az), (bx, by, bz), (cx, cy, cz) = self.vertices[a], self.vertices[b], self.vertices[c]
            total += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        return total / 6

    def open_edges(self):
        edges = {}
        for triangle in self.triangles:
            for k in range(3):
                a, b = triangle[k], triangle[(k + 1) % 3]
                edges.setdefault((min(a, b), max(a, b)), []).append(a < b)
        return [edge for edge, ways in edges.items() if sorted(ways) != [False, True]]

    def same(self, test, other):
        test.assertEqual(self.vertices, other.vertices)
        test.assertEqual(self.normals, other.normals)
        test.assertEqual(self.triangles, other.triangles)


def read_ply(file):
    """@return surfaces by fluid, comments"""
    data = file.read_bytes()
    head, rest = data.split(b'end_header\n', 1)
    lines = head.decode().splitlines()
    assert lines[:2] == ['ply', 'format binary_little_endian 1.0'], lines
    counts = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith('element')}
    properties = [line for line in lines if line.startswith('property')]
    assert properties == [f'property float {name}' for name in ('x', 'y', 'z', 'nx', 'ny', 'nz')] + [
        'property uint fluid', 'property list uchar uint vertex_indices', 'property uint fluid'], properties
    surfaces, place, owner = {}, 0, []
    for _ in range(counts['vertex']):
        *numbers, fluid = struct.unpack_from('<6fI', rest, place)
        place += 28
        surface = surfaces.setdefault(fluid, Surface())
        owner.append((fluid, len(surface.vertices)))
        surface.vertices.append(tuple(numbers[:3]))
        surface.normals.append(tuple(numbers[3:]))
    for _ in range(counts['face']):
        corners, *indices, fluid = struct.unpack_from('<B3II', rest, place)
        place += 17
        assert corners == 3 and all(owner[i][0] == fluid for i in indices)
        surfaces[fluid].triangles.append(tuple(owner[i][1] for i in indices))
    assert place == len(rest)
    return [surfaces[f] for f in sorted(surfaces)], [line[8:] for line in lines if line.startswith('comment')]


def read_obj(file):
    """@return surfaces, names"""
    surfaces, names, first = [], [], 1
    for line in file.read_text().splitlines():
        word, *values = line.split()
        if word == 'o':
            if surfaces:
                first += len(surfaces[-1].vertices)
            surfaces.append(Surface())
            names.append(values[0])
        elif word == 'v':
            surfaces[-1].vertices.append(tuple(as_float(v) for v in values))
        elif word == 'vn':
            surfaces[-1].normals.append(tuple(as_float(v) for v in values))
        elif word == 'f':
            pairs = [value.split('//') for value in values]
            assert all(a == b for a, b in pairs)
            surfaces[-1].triangles.append(tuple(int(a) - first for a, _ in pairs))
        else:
            assert word == '#', line
    return surfaces, names


def read_vtp(file):
    """@return surfaces, time"""
    data = file.read_bytes()
    head, appended = data.split(b'<AppendedData encoding="raw">\n_', 1)
    text = head.decode()

    def array(name, kind, part):
        found = re.search(f'<{part}[^>]*>(.*?)</{part}>', text, re.DOTALL).group(1)
        offset = int(re.search(f'Name="{name}"[^>]*offset="([0-9]+)"', found).group(1))
        length = struct.unpack_from('<Q', appended, offset)[0]
        return struct.unpack_from(f'<{length // struct.calcsize(kind)}{kind}', appended, offset + 8)

    points, normals = array('Points', 'f', 'Points'), array('normal', 'f', 'PointData')
    fluid, fluid_of_cell = array('fluid', 'I', 'PointData'), array('fluid', 'I', 'CellData')
    corners, offsets = array('connectivity', 'q', 'Polys'), array('offsets', 'q', 'Polys')
    assert offsets == tuple(range(3, 3 * len(offsets) + 1, 3)) and len(corners) == 3 * len(offsets)
    surfaces = [Surface() for _ in range(max(fluid) + 1)]
    place = []
    for i, f in enumerate(fluid):
        place.append(len(surfaces[f].vertices))
        surfaces[f].vertices.append(points[3 * i:3 * i + 3])
        surfaces[f].normals.append(normals[3 * i:3 * i + 3])
    for t, f in enumerate(fluid_of_cell):
        assert all(fluid[i] == f for i in corners[3 * t:3 * t + 3])
        surfaces[f].triangles.append(tuple(place[i] for i in corners[3 * t:3 * t + 3]))
    return surfaces, float(re.search('Name="TimeValue"[^>]*>([^<]*)<', text).group(1))


def read_usda(file):
    """@return surfaces, names, text before the first mesh"""
    text = file.read_text()
    assert text.startswith('#usda 1.0\n')
    head, *meshes = re.split(r'    def Mesh "', text)
    surfaces, names = [], []
    for mesh in meshes:
        names.append(mesh.split('"', 1)[0])

        def numbers(declaration, mesh=mesh):
            found = re.search(re.escape(declaration) + r' = \[(.*?)\]', mesh).group(1)
            return [as_float(v) for v in found.replace('(', '').replace(')', '').split(',')] if found else []

        def triples(declaration):
            values = numbers(declaration)
            return list(zip(values[::3], values[1::3], values[2::3]))

        surface = Surface()
        surface.vertices, surface.normals = triples('point3f[] points'), triples('normal3f[] normals')
        indices = [int(v) for v in numbers('int[] faceVertexIndices')]
        surface.triangles = list(zip(indices[::3], indices[1::3], indices[2::3]))
        assert numbers('int[] faceVertexCounts') == [3.0] * len(surface.triangles)
        low, high = triples('float3[] extent')
        for k in range(3):
            assert low[k] == min(v[k] for v in surface.vertices) and high[k] == max(v[k] for v in surface.vertices)
        surfaces.append(surface)
    return surfaces, names, head


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / 'two.yaml').write_text(SCENE)

    def riffle(self, *words, code=0):
        ran = subprocess.run([PROGRAM, *words, '--device', 'cpu', '--no-picture', '--quiet'], cwd=self.folder,
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stderr

    def surface(self, name, steps='5'):
        self.riffle('run', 'two.yaml', '--steps', steps, '--surface', name)
        return self.folder / name


class AllFormats(Files):
    def test_have_the_same_closed_surfaces(self):
        surfaces, comments = read_ply(self.surface('s.ply'))
        self.assertEqual(len(surfaces), 2)
        self.assertIn('fluid 1 fine "oil" -- 2', comments)
        self.assertIn('unit position m', comments)
        for surface, volume in zip(surfaces, (0.5 * 0.5 * 0.6, 0.5 * 0.3 * 0.6)):
            self.assertGreater(len(surface.triangles), 1000)
            self.assertEqual(surface.open_edges(), [])
            self.assertAlmostEqual(surface.volume(), volume, delta=0.03 * volume)
        objects, names = read_obj(self.surface('s.obj'))
        self.assertEqual(names, ['water', 'fine__oil_____2'])
        cells, time = read_vtp(self.surface('s.vtp'))
        self.assertIn(f'time {time!r} step 5', comments)
        stage, meshes, head = read_usda(self.surface('s.usda'))
        self.assertEqual(meshes, names)
        for words in ('upAxis = "Y"', 'metersPerUnit = 1', 'int64 step = 5', f'double time = {time!r}'):
            self.assertIn(words, head)
        for others in (objects, cells, stage):
            self.assertEqual(len(others), 2)
            for mine, other in zip(surfaces, others):
                mine.same(self, other)

    def test_of_a_series_are_numbered_files(self):
        self.riffle('run', 'two.yaml', '--time', '0.05', '--surface', 'o/s.vtp', '--surface-every', '0.02')
        times = [read_vtp(self.folder / f'o/s_{k:06}.vtp')[1] for k in range(4)]
        self.assertEqual(times[0], 0)
        self.assertEqual(times[3], 0.05)
        listed = re.findall('timestep="([^"]*)" part="0" file="([^"]*)"', (self.folder / 'o/s.pvd').read_text())
        self.assertEqual([(float(t), f) for t, f in listed], [(t, f's_{k:06}.vtp') for k, t in enumerate(times)])
        for ending, read in (('.ply', read_ply), ('.obj', read_obj), ('.usda', read_usda)):
            self.riffle('run', 'two.yaml', '--time', '0.05', '--surface', f'o/s{ending}', '--surface-every', '0.02')
            self.assertFalse((self.folder / f'o/s{ending}').exists())
            for k in range(4):
                mine, other = read_vtp(self.folder / f'o/s_{k:06}.vtp')[0], read(self.folder / f'o/s_{k:06}{ending}')[0]
                for a, b in zip(mine, other):
                    a.same(self, b)
            self.assertFalse((self.folder / f'o/s_000004{ending}').exists())


class OtherPrograms(Files):
    def test_vtk_reads_ply_obj_and_vtp(self):
        vtk = module('vtk')
        expected = sum(surface.volume() for surface in read_ply(self.surface('s.ply'))[0])
        for ending, kind in (('ply', vtk.vtkPLYReader), ('obj', vtk.vtkOBJReader), ('vtp', vtk.vtkXMLPolyDataReader)):
            reader = kind()
            reader.SetFileName(str(self.surface(f's.{ending}')))
            reader.Update()
            edges = vtk.vtkFeatureEdges()
            edges.SetInputConnection(reader.GetOutputPort())
            edges.BoundaryEdgesOn()
            edges.NonManifoldEdgesOn()
            edges.FeatureEdgesOff()
            edges.ManifoldEdgesOff()
            edges.Update()
            self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0, ending)
            measure = vtk.vtkMassProperties()
            measure.SetInputConnection(reader.GetOutputPort())
            measure.Update()
            self.assertAlmostEqual(measure.GetVolume(), expected, delta=1e-3 * expected, msg=ending)

    def test_trimesh_reads_ply_and_obj(self):
        trimesh = module('trimesh')
        expected = sum(surface.volume() for surface in read_ply(self.surface('s.ply'))[0])
        for ending in ('ply', 'obj'):
            mesh = trimesh.load(self.surface(f's.{ending}'), force='mesh', process=False)
            self.assertTrue(mesh.is_watertight and mesh.is_winding_consistent, ending)
            self.assertAlmostEqual(mesh.volume, expected, delta=1e-4 * expected, msg=ending)

    def test_usd_reads_usda(self):
        usd, geometry = module('pxr.Usd'), module('pxr.UsdGeom')
        surfaces = read_ply(self.surface('s.ply'))[0]
        stage = usd.Stage.Open(str(self.surface('s.usda')))
        self.assertEqual(geometry.GetStageUpAxis(stage), 'Y')
        self.assertEqual(geometry.GetStageMetersPerUnit(stage), 1)
        meshes = [geometry.Mesh(prim) for prim in stage.Traverse() if prim.IsA(geometry.Mesh)]
        self.assertEqual(len(meshes), 2)
        for mesh, surface in zip(meshes, surfaces):
            self.assertEqual([tuple(p) for p in mesh.GetPointsAttr().Get()], surface.vertices)
            self.assertEqual(list(mesh.GetFaceVertexIndicesAttr().Get()), [i for t in surface.triangles for i in t])
            self.assertEqual(mesh.GetNormalsInterpolation(), 'vertex')
            self.assertTrue(mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(),
                                                  len(surface.vertices))[0])


if __name__ == '__main__':
    unittest.main()
