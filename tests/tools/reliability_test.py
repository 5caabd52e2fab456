#!/usr/bin/env python3
"""tools/reliability.py and tools/fuzz, without the long runs."""
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def load(name):
    loader = importlib.machinery.SourceFileLoader(name.replace(".py", "_tool"), os.path.join(ROOT, "tools", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
reliability, fuzz = load("reliability.py"), load("fuzz")

SERIES = """# a comment
time [tau],step,momentum_x [m],momentum_y [m],momentum_z [m],temperature [kT],local_temperature [kT]
0,0,0,0,0,5,1
40,1000,0,-4.096,0,0.98,1
80,2000,1,0,0,0.99,1
120,3000,0,0,2,1.01,1
160,4000,0,0,0,1.02,1
"""

# Answers as riffle does: lists two sizes of a scene, and runs until it is interrupted.
PROGRAM = """#!%s
import json, sys, time
words = sys.argv[1:]
if words[0] == "--version":
    print("riffle 0.1.0\\ncommit        0123456789abcdef")
elif words[0] == "list":
    print("Scenes (riffle run NAME):\\n  pool    Water.\\n  pool_72k  More water.\\n\\nNeighbour searches:\\n  green  a grid")
else:
    report = words[words.index("--json") + 1]
    try:
        time.sleep(30)
    except KeyboardInterrupt:
        json.dump({"run": {"steps": 1234, "particles": 99}, "diagnostics": {"non_finite": %d}}, open(report, "w"))
        sys.exit(130)
"""


# Executes 100 inputs at each call; finds one that goes wrong if the file finds_one is there, which it removes.
LIBFUZZER = """#!%s
import os, sys
with open("arguments", "a") as out:
    out.write(" ".join(sys.argv) + "\\n")
print("stat::number_of_executed_units: 100\\n#100 DONE cov: 77", file=sys.stderr)
if os.path.exists("finds_one"):
    os.remove("finds_one")
    print("Test unit written to crash-1", file=sys.stderr)
    sys.exit(77)
"""


class Reliability(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.kept = reliability.RECORDS, reliability.DOCUMENT
        reliability.RECORDS = self.folder.name
        reliability.DOCUMENT = os.path.join(self.folder.name, "reliability.md")
        self.addCleanup(lambda: self.put_back())

    def put_back(self):
        reliability.RECORDS, reliability.DOCUMENT = self.kept

    def write(self, name, text):
        file = os.path.join(self.folder.name, name)
        with open(file, "w") as out:
            out.write(text)
        os.chmod(file, 0o755)
        return file

    def program(self, non_finite=0):
        return self.write("riffle", PROGRAM % (sys.executable, non_finite))

    def test_the_summary_of_a_run_is_of_the_rows_after_the_start(self):
        self.write("series.csv", SERIES)
        found = reliability.summary_of_dpd(self.folder.name, self.program(), "cpu", 0, [1, 2])
        self.assertEqual((found["steps"], found["rows"], found["commit"]), (4000, 4, "0123456789abcdef"))
        self.assertAlmostEqual(found["temperature"], 1)
        self.assertAlmostEqual(found["temperature_halves"][0], 0.985)
        self.assertAlmostEqual(found["largest_momentum_of_a_particle"], 0.001)

    def test_small_variants_are_run_and_interrupted(self):
        options = type("Options", (), {"program": self.program(), "device": "cpu", "seconds": 1, "jobs": 3, "only": ""})
        self.assertTrue(reliability.run_scenes(options))
        with open(os.path.join(self.folder.name, "scenes_cpu.json")) as file:
            record = json.load(file)
        self.assertEqual([(s["scene"], s["exit_code"], s["steps"]) for s in record["scenes"]], [("pool", 130, 1234)])

    def test_a_particle_that_is_not_finite_is_a_failure(self):
        options = type("Options", (), {"program": self.program(3), "device": "cpu", "seconds": 1, "jobs": 3, "only": ""})
        self.assertFalse(reliability.run_scenes(options))

    def test_rows_of_other_scenes_stay_with_their_commit(self):
        old = {"seconds": 1, "commit": "89abcdef", "machine": "a CPU, 2 cores", "date": "2026-11-28",
               "scenes": [{"scene": name, "exit_code": 130, "steps": 7, "non_finite": 0, "mebibytes": [1, 1]}
                          for name in ("lake", "pool", "river")]}
        self.write("scenes_cpu.json", json.dumps(old))
        options = type("Options", (), {"program": self.program(), "device": "cpu", "seconds": 1, "jobs": 3, "only": "pool"})
        self.assertTrue(reliability.run_scenes(options))
        with open(os.path.join(self.folder.name, "scenes_cpu.json")) as file:
            rows = json.load(file)["scenes"]
        self.assertEqual([(s["scene"], s["steps"], s["commit"]) for s in rows],
                         [("lake", 7, "89abcdef"), ("pool", 1234, "0123456789abcdef"), ("river", 7, "89abcdef")])
        self.assertIn("89abcdef, 2026-11-28, a CPU, 2 cores; `pool`: 01234567", reliability.scenes_table("scenes_cpu"))
        for wrong in ({"only": "sea"}, {"seconds": 2}):
            with self.assertRaises(SystemExit):
                reliability.run_scenes(type("Options", (options,), wrong))

    def test_tables_are_those_of_the_records(self):
        places = "".join(f"<!-- records: {name} -->\nold\n<!-- end of {name} -->\n" for name in reliability.TABLES)
        self.write("reliability.md", "before\n" + places + "after\n")
        record = {"reader": "scene", "executions": 1000000, "wanted": 1000000, "seconds": 60, "finds": ["crash-1"], "covered": 777,
                  "commit": "0123456789abcdef changed", "machine": "a CPU, 2 cores", "date": "2026-11-28"}
        part = {key: record[key] for key in ("commit", "machine", "date")}
        self.write("fuzz_scene.json", json.dumps({**record, "parts": [{**part, "executions": 1000000}]}))
        text = reliability.document()
        self.assertIn("| `scene` | 1,000,000 | 60 | 777 | 1 | 01234567 with changes, 2026-11-28, a CPU, 2 cores |", text)
        parts = [{**part, "executions": 400000}, {**part, "commit": "89abcdef", "executions": 600000}]
        self.write("fuzz_scene.json", json.dumps({**record, "parts": parts}))
        self.assertIn("| 400,000 of 01234567 with changes, 2026-11-28, a CPU, 2 cores; 600,000 of 89abcdef, 2026-11-28, a CPU",
                      reliability.document())
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
        self.assertNotIn("old", text)
        text = reliability.document()
        self.write("reliability.md", text)
        self.assertEqual(reliability.document(), text)


class Fuzz(unittest.TestCase):
    def test_every_reader_has_a_corpus_and_every_corpus_a_reader(self):
        folders = sorted(os.listdir(os.path.join(ROOT, "tests/fuzz/corpus")))
        self.assertEqual(sorted(fuzz.reader_names() + ["beside_scenes"]), folders)

    def test_dictionaries_are_those_that_libfuzzer_reads(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        fuzz.BUILD = folder.name
        lines = reliability.text_of(fuzz.write_dictionary("scene")).splitlines()
        self.assertIn('"spacing"', lines)
        self.assertGreater(len([line for line in lines if line.startswith('"\\x0a--set')]), 0, lines[:3])
        for line in lines:
            self.assertRegex(line, r'^"([ -!#-\[\]-~]|\\x[0-9a-f]{2})+"$')

    def test_executions_of_several_calls_count_with_the_commit_of_each(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        fuzz.BUILD = folder.name
        self.addCleanup(setattr, reliability, "RECORDS", reliability.RECORDS)
        fuzz.reliability.RECORDS = reliability.RECORDS = os.path.join(folder.name, "records")
        program = os.path.join(folder.name, "fuzz_readers")
        with open(program, "w") as out:
            out.write(LIBFUZZER % sys.executable)
        os.chmod(program, 0o755)

        def call(commit, runs, **more):
            here = {"commit": commit, "machine": "a CPU", "date": "2026-11-29"}
            record = fuzz.fuzz(program, "scene", runs, 0, 0, more.get("again", False), here)
            with open(fuzz.record_file("scene")) as file:
                self.assertEqual(json.load(file), record)
            return record["executions"], [(part["commit"], part["executions"]) for part in record["parts"]]

        self.assertEqual(call("a", 250), (300, [("a", 300)]))  # 100 at once
        self.assertEqual(call("a", 300), (300, [("a", 300)]), "there are enough")
        self.assertEqual(call("a", 310), (400, [("a", 400)]))
        self.assertEqual(call("b", 450), (500, [("a", 400), ("b", 100)]))
        with open(os.path.join(folder.name, "finds_one"), "w"):
            pass
        self.assertEqual(call("c", 550), (600, [("a", 400), ("b", 100), ("c", 100)]))
        self.assertEqual(call("d", 100), (100, [("d", 100)]), "what was executed before the find does not count")
        self.assertEqual(call("d", 100, again=True), (100, [("d", 100)]))
        os.mkdir(fuzz.reliability.RECORDS)
        os.rename(fuzz.record_file("scene"), os.path.join(fuzz.reliability.RECORDS, "fuzz_scene.json"))
        self.assertEqual(call("e", 200), (200, [("d", 100), ("e", 100)]), "a new build folder begins with what is on record")
        # A tree with changes may have others by now: one with a find is not gone on with.
        for commit, parts in ("e", [("e", 200)]), ("e changed", [("e changed", 100)]):
            with open(fuzz.record_file("scene"), "w") as out:
                json.dump({"parts": [{"commit": commit, "machine": "a CPU", "date": "2026-11-29", "executions": 100,
                                      "seconds": 1, "finds": ["x"], "covered": 1}]}, out)
            self.assertEqual(call(commit, 200 if commit == "e" else 100)[1], parts)
        with open(fuzz.record_file("scene"), "w") as out:
            json.dump({"executions": 5}, out)  # of a version that had no parts
        self.assertEqual(call("f", 100), (100, [("f", 100)]))
        with open(os.path.join(folder.name, "arguments")) as file:
            self.assertIn("-runs=10 ", file.read())

    def test_every_refused_input_has_its_message(self):
        cases = reliability.text_of(os.path.join(ROOT, "tests/fuzz/messages_test.cpp"))
        for folder, _, files in os.walk(os.path.join(ROOT, "tests/fuzz/corpus")):
            for name in files:
                if name.startswith(("find_", "bad_")):
                    self.assertRegex(cases, rf'"{re.escape(os.path.basename(folder))}", "{re.escape(name)}"')


if __name__ == "__main__":
    unittest.main()
