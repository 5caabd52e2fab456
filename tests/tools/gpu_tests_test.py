#!/usr/bin/env python3
"""tools/gpu_tests.py with a program that answers as GoogleTest does."""
import contextlib
import glob
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("gpu_tests", os.path.join(HERE, "..", "..", "tools", "gpu_tests.py"))
gpu_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gpu_tests)

COMMIT = "0123456789abcdef0123456789abcdef01234567"

# cases: {name: "passed", "failed", "skipped", "crash", "hang", or "slow": only at its first start}
PROGRAM = """#!%(python)s
import json, os, signal, sys, time
cases, log, commit = %(cases)r, %(log)r, %(commit)r
given = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:] if "=" in word)
if "--gtest_list_tests" in sys.argv:
    print("Running main() from gtest_main.cc")
    suite = ""
    for name in cases:
        if name.split(".")[0] != suite:
            suite = name.split(".")[0]
            print(suite + ".")
        print("  " + name.split(".", 1)[1] + "  # GetParam() = cuda, 2.5-D")
    sys.exit(0)
chosen = given["gtest_filter"].split(":")
with open(log, "a") as out:
    out.write(str(len(chosen)) + "\\n")
suites = {}
for name in chosen:
    what = cases[name]
    if what == "crash":
        print("here it goes", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    started = log + name.replace("/", "_")
    if what == "hang" or what == "slow" and not os.path.exists(started):
        open(started, "w").close()
        time.sleep(60)
    case = {"name": name.split(".", 1)[1], "status": "RUN", "time": "0.25s",
            "result": "SKIPPED" if what == "skipped" else "COMPLETED"}
    if what == "failed":
        case["failures"] = [{"failure": "expected 1"}]
    suites.setdefault(name.split(".")[0], []).append(case)
report = {"timestamp": "2027-01-15T08:00:0" + str(len(chosen)) + "Z", "commit": commit,
          "testsuites": [{"name": name, "testsuite": found} for name, found in suites.items()]}
with open(given["gtest_output"].split(":", 1)[1], "w") as out:
    json.dump(report, out)
sys.exit(any(cases[name] == "failed" for name in chosen))
"""


class GpuTests(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = self.path("reports")
        self.out = self.path("runs")
        os.makedirs(self.out)

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def program(self, cases, name="test_a", commit=COMMIT):
        values = {"python": sys.executable, "cases": cases, "log": self.path("log"), "commit": commit}
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(PROGRAM % values)
        os.chmod(self.path(name), 0o755)
        return self.path(name)

    def call(self, function, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = function(*arguments)
        return code, said.getvalue()

    def run_share(self, *programs, seconds=60.0, jobs=1):
        return self.call(gpu_tests.run, self.folder, seconds, jobs, "*cuda*", list(programs))

    def results(self):
        reports = gpu_tests.read_reports(self.folder)
        return {name: result for report in reports.values() for name, result, _ in gpu_tests.results_of(report)}

    def processes(self):
        with open(self.path("log"), encoding="utf-8") as text:
            return [int(line) for line in text]

    def test_slow_cases_have_a_process_each_and_others_share_one(self):
        cases = {f"All/Quick.Case{i}/cuda": "passed" for i in range(gpu_tests.BATCH + 1)}
        cases |= {"All/LongFlow.A/cuda": "passed", "LongFlow.B": "skipped", "All/Quick.LongLists/cuda": "passed"}
        code, said = self.run_share(self.program(cases))
        self.assertEqual(code, 0, said)
        self.assertEqual(self.processes(), [gpu_tests.BATCH, 2, 1, 1])
        self.assertEqual(self.results(), {**dict.fromkeys(cases, "passed"), "LongFlow.B": "skipped"})

    def test_what_the_time_cuts_off_is_in_the_next_share_and_nothing_runs_twice(self):
        program = self.program({"Quick.A/cuda": "passed", "LongA.X/cuda": "passed", "LongB.X/cuda": "slow",
                                "LongC.X/cuda": "passed"})
        code, said = self.run_share(program, seconds=6.0)
        self.assertEqual(code, 3)
        self.assertIn("2 cases have run, 0 failed, 2 are left", said)
        code, said = self.run_share(program, seconds=30.0)
        self.assertEqual(code, 0)
        self.assertIn("4 cases have run, 0 failed, 0 are left", said)
        self.assertEqual(len(self.processes()), 5, "only the case that was cut off began twice")

    def test_a_case_that_is_longer_than_a_share_fails(self):
        program = self.program({"LongA.X/cuda": "hang", "LongB.X/cuda": "passed"})
        self.assertEqual(self.run_share(program, seconds=0.5)[0], 3)
        code, said = self.run_share(program, seconds=30.0)
        self.assertEqual(code, 1)
        self.assertEqual(self.results(), {"LongA.X/cuda": "failed", "LongB.X/cuda": "passed"})
        self.assertIn("1 failed", said)

    def test_a_crash_is_the_failure_of_its_case_alone(self):
        cases = {f"Quick.Case{i}/cuda": "passed" for i in range(9)}
        cases["Quick.Case5/cuda"] = "crash"
        code, _ = self.run_share(self.program(cases))
        self.assertEqual(code, 1)
        self.assertEqual([name for name, result in self.results().items() if result != "passed"], ["Quick.Case5/cuda"])
        self.assertEqual(len(self.results()), 9)
        reports = json.dumps(gpu_tests.read_reports(self.folder))
        self.assertIn("the process ended with -11 and without a report\\nhere it goes", reports)

    def test_processes_side_by_side_run_each_case_once(self):
        cases = {f"Quick.Case{i}/cuda": "passed" for i in range(gpu_tests.BATCH)}
        cases |= {"LongA.X/cuda": "failed", "LongB.X/cuda": "passed", "Quick.Other/cuda": "crash"}
        others = {f"LongC.X{i}/cuda": "passed" for i in range(5)}
        programs = self.program(cases), self.program(others, "test_b")
        code, said = self.run_share(*programs, jobs=3)
        self.assertEqual(code, 1, said)
        expected = dict.fromkeys({**cases, **others}, "passed") | {"LongA.X/cuda": "failed", "Quick.Other/cuda": "failed"}
        self.assertEqual(self.results(), expected)
        self.assertIn(f"{len(expected)} cases have run, 2 failed, 0 are left", said)

    def test_a_later_share_overwrites_no_report_where_processes_were_cut_off(self):
        cases = {"LongA.X/cuda": "passed", "LongSlow1.X/cuda": "slow", "LongSlow2.X/cuda": "slow"}
        cases |= {f"Long{name}.X/cuda": "passed" for name in "BCDEF"}
        program = self.program(cases)
        code, _ = self.run_share(program, seconds=6.0, jobs=4)
        self.assertEqual(code, 3)
        self.assertEqual(self.run_share(program, seconds=30.0, jobs=4)[0], 0)
        self.assertEqual(self.results(), dict.fromkeys(cases, "passed"))

    def test_slow_cases_that_took_longest_begin(self):
        os.makedirs(self.path("tests"))
        with open(self.path("tests/slow_tests.csv"), "w", encoding="utf-8") as file:
            file.write("case,where,state,commit,committed,seconds,device\n"
                       "LongA.X/cuda,gpu,passed,1,2,3,H200\nLongB.X/cuda,gpu,passed,1,2,40,H200\n"
                       "LongC.X/cuda,cpu,passed,1,2,500,EPYC\nLongD.X/cuda,gpu,listed,1,2,,\n")
        kept, gpu_tests.ROOT = gpu_tests.ROOT, self.scratch.name
        self.addCleanup(setattr, gpu_tests, "ROOT", kept)
        code, said = self.run_share(self.program({f"Long{name}.X/cuda": "passed" for name in "ABCD"}))
        self.assertEqual(code, 0)
        self.assertEqual([line.split()[-1] for line in said.splitlines()[:4]], [f"Long{name}.X/cuda" for name in "BACD"])

    def test_a_failure_is_one_in_later_shares_too(self):
        program = self.program({"Quick.A/cuda": "failed"})
        self.assertEqual(self.run_share(program)[0], 1)
        self.assertEqual(self.run_share(program)[0], 1)

    def recorded(self, commit=COMMIT):
        program = self.program({"Quick.A/cuda": "passed", "Quick.B/cuda": "skipped", "LongC.X/cuda": "failed"}, commit=commit)
        self.run_share(program)
        return self.call(gpu_tests.record, self.folder, self.out)[0]

    def test_a_record_is_the_summary_of_its_reports(self):
        self.assertEqual(self.recorded(), 1)
        names = sorted(os.listdir(self.out))
        self.assertEqual([name.split("-", 3)[:3] for name in names], [["2027", "01", "15"]] * 2)
        self.assertTrue(names[0].endswith("-0123456.json"))
        with open(os.path.join(self.out, names[0]), encoding="utf-8") as text:
            summary = json.load(text)
        self.assertEqual((summary["commit"], summary["from"], summary["to"]),
                         (COMMIT, "2027-01-15T08:00:01Z", "2027-01-15T08:00:02Z"))
        self.assertEqual((summary["passed"], summary["skipped"], summary["failed"]),
                         (["Quick.A/cuda"], ["Quick.B/cuda"], ["LongC.X/cuda"]))
        self.assertEqual(summary["seconds"], {"LongC.X/cuda": 0.2})
        self.assertEqual(summary["reports"], names[1])
        self.assertEqual(gpu_tests.pack(self.folder), gpu_tests.pack(self.folder), "the same bytes")
        self.assertEqual(self.call(gpu_tests.check, self.out), (0, ""))

    def test_a_record_that_was_edited_or_lost_its_reports_is_noticed(self):
        self.recorded()
        file, = glob.glob(os.path.join(self.out, "*.json"))
        with open(file, encoding="utf-8") as text:
            kept = text.read()
        for before, after in [(COMMIT, "f" * 40), ('"failed": [', '"failed": ["x",'), ("08:00:01Z", "09:00:01Z")]:
            with open(file, "w", encoding="utf-8") as out:
                out.write(kept.replace(before, after))
            code, said = self.call(gpu_tests.check, self.out)
            self.assertEqual((code, said), (1, f"{file}: its reports have another summary\n"))
        with open(file, "w", encoding="utf-8") as out:
            out.write(kept.replace('"reports"', '"note"'))
        self.assertIn("cannot be made again", self.call(gpu_tests.check, self.out)[1])
        with open(file, "w", encoding="utf-8") as out:
            out.write(kept)
        os.remove(glob.glob(os.path.join(self.out, "*.xz"))[0])
        self.assertIn("cannot be made again", self.call(gpu_tests.check, self.out)[1])

    def test_reports_of_two_commits_or_of_none_make_no_record(self):
        self.run_share(self.program({"Quick.A/cuda": "passed"}),
                       self.program({"Quick.B/cuda": "passed"}, "test_b", "f" * 40))
        with self.assertRaisesRegex(ValueError, "of 2 commits"):
            gpu_tests.record(self.folder, self.out)
        self.folder = self.path("other")
        with self.assertRaisesRegex(ValueError, "the programs' commit is unknown"):
            self.recorded("unknown")

    def test_changed_sources_show_in_the_name(self):
        self.recorded(COMMIT + " changed")
        self.assertEqual(len(glob.glob(os.path.join(self.out, "*-0123456-changed.json"))), 1)


if __name__ == "__main__":
    unittest.main()
