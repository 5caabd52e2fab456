#!/usr/bin/env python3
"""tools/mutations.py without libclang: what it writes into a source, compiled and switched on number by number."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import mutations  # noqa: E402

SOURCE = b"""#include <cstdio>
constexpr int twice(int x) { return x * 2; }
static_assert(twice(3) == 6);
int main() {
  int sum = 0;
  if (sum == 0) sum = 1 + twice(4);
  sum += 100;
  std::printf("%d", sum);
}
"""


def mutation(number, kind, original, mutated, constexpr=False):
    begin = SOURCE.index(original)
    return {"number": number, "kind": kind, "file": "x.cpp", "line": 1, "begin": begin, "end": begin + len(original),
            "original": original.decode(), "mutated": mutated, "constexpr": constexpr}


class Mutations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        drawn = [mutation(1, "operator", b"x * 2", "(x) / (2)", True), mutation(2, "condition", b"sum == 0", "!(sum == 0)"),
                 mutation(3, "operator", b"1 + twice(4)", "(1) - (twice(4))"), mutation(4, "literal", b"4", "4 * 0"),
                 mutation(5, "statement", b"sum += 100", "")]
        drawn.sort(key=lambda m: (m["begin"], -m["end"]))
        source, self.program = os.path.join(self.folder.name, "x.cpp"), os.path.join(self.folder.name, "x")
        with open(source, "wb") as file:
            file.write(mutations.HEAD + mutations.render(SOURCE, drawn, 0, len(SOURCE)))
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-I", ROOT, source, "-o", self.program], check=True)

    def run_with(self, **environment):
        return subprocess.run([self.program], env=environment, capture_output=True, text=True, check=True).stdout

    def test_each_is_switched_on_alone(self):
        self.assertEqual(self.run_with(), "109")
        self.assertEqual([self.run_with(RIFFLE_MUTANT=str(k)) for k in range(7)],
                         ["109", "103", "100", "93", "101", "9", "109"])

    def test_what_was_executed_is_noted(self):
        file = os.path.join(self.folder.name, "reached")
        with open(file, "wb") as reached:
            reached.write(b"\0" * (mutations.MOST + 1))
        self.run_with(RIFFLE_MUTANT_REACHED=file, RIFFLE_MUTANT="2")
        with open(file, "rb") as reached:
            self.assertEqual([k for k, byte in enumerate(reached.read()) if byte], [2, 5])


if __name__ == "__main__":
    unittest.main()
