#!/usr/bin/env python3
"""tools/slow_tests.py on a small repository, with a build of tests that are shell commands."""
import argparse
import contextlib
import csv
import importlib.util
import io
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("slow_tests", os.path.join(HERE, "..", "..", "tools", "slow_tests.py"))
slow_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(slow_tests)

DAY = 86400
BEGIN = 1_800_000_000  # [s] of the first commit


class SlowTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = self.folder.name
        self.git("init", "-q", "-b", "main")
        self.write("tools/build", "#!/bin/sh\n")
        os.chmod(os.path.join(self.root, "tools/build"), 0o755)
        self.write(".gitignore", "/build/\n")
        self.write("tests/here", "")
        self.write("source", "1")
        self.output = os.path.join(self.root, "build", "output")
        self.first = self.commit(0)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments, days=0.0):
        date = f"{BEGIN + int(days * DAY)} +0000"
        environment = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_CONFIG_GLOBAL": "/dev/null",
                       "GIT_CONFIG_SYSTEM": "/dev/null"}
        who = ["-c", "user.name=t", "-c", "user.email=t@t"]
        return subprocess.run(["git", *who, *arguments], cwd=self.root, env=environment, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, days):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", days=days)
        return self.git("rev-parse", "HEAD")[:12]

    def build(self, cases, build="cpu-release", labels="long", timeout=20):
        """@param cases  {name: command of sh}, in the order of ctest"""
        text = ""
        for name, command in cases.items():
            text += (f'add_test("{name}" "/bin/sh" "-c" "echo {name} >>{self.output}; {command}")\n'
                     f'set_tests_properties("{name}" PROPERTIES LABELS "{labels}" TIMEOUT {timeout} '
                     'SKIP_REGULAR_EXPRESSION "SKIPPED")\n')
        text += 'add_test(quick "/bin/false")\n'
        self.write(f"build/{build}/CTestTestfile.cmake", text)

    def call(self, *arguments, **options):
        said = io.StringIO()
        os.environ["JOBS"] = "1"
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.output)
        with contextlib.redirect_stdout(said):
            repository = slow_tests.Repository(self.root)
            if arguments[0] == "check":
                code = slow_tests.check(repository, list(arguments[1:]))
            elif arguments[0] == "list":
                code = slow_tests.list_cases(repository, arguments[1])
            else:
                values = {"where": arguments[1], "seconds": None, "only": None, **options}
                code = slow_tests.run(repository, argparse.Namespace(**values))
        return code, said.getvalue()

    def ran(self):
        if not os.path.exists(self.output):
            return []
        with open(self.output, encoding="utf-8") as text:
            return text.read().split()

    def rows(self):
        with open(os.path.join(self.root, "tests/slow_tests.csv"), newline="", encoding="utf-8") as text:
            return {(row["case"], row["state"]): row for row in csv.DictReader(text)}

    def test_a_pass_is_recorded_with_its_commit_and_that_commits_date(self):
        self.build({"b": "true", "a": "true"})
        code, said = self.call("run", "cpu")
        self.assertEqual(code, 0, said)
        self.assertEqual(sorted(self.rows()), [("a", "passed"), ("b", "passed")])
        row = self.rows()["a", "passed"]
        self.assertEqual((row["commit"], row["committed"], row["where"]), (self.first, "2027-01-15T08:00:00Z", "cpu"))
        self.assertTrue(row["device"])
        self.assertIn("2 slow tests passed, 0 failed, 0 were skipped and 0 cut off", said)
        with open(os.path.join(self.root, "tests/slow_tests.csv"), encoding="utf-8") as text:
            before = text.read().splitlines()
        self.assertEqual(before, before[:1] + sorted(before[1:]), "sorted, so that branches merge")
        self.assertEqual(self.call("check", "cpu")[0], 0)

    def test_a_pass_with_changes_does_not_count_nor_replace_one_that_does(self):
        self.build({"a": "true"})
        self.write("source", "2")
        self.assertEqual(self.call("run", "cpu")[0], 0)
        self.assertEqual(list(self.rows()), [("a", "changed")])
        code, said = self.call("check", "cpu")
        self.assertEqual(code, 1)
        self.assertIn("cpu: a: passed only with changes that were not committed", said)
        second = self.commit(1)
        self.call("run", "cpu")
        self.assertEqual(list(self.rows()), [("a", "passed")])
        self.write("untracked.cpp", "")
        self.call("run", "cpu")
        self.assertEqual([(key, row["commit"]) for key, row in self.rows().items()], [(("a", "passed"), second)])

    def test_changes_during_the_run_are_changes(self):
        self.build({"a": "true", "b": f"echo 2 >{self.root}/source", "c": "true"})
        self.call("run", "cpu")
        self.assertEqual(sorted(self.rows()), [("a", "passed"), ("b", "changed"), ("c", "changed")])

    def test_a_pass_is_too_old_after_14_days_between_commits(self):
        self.build({"a": "true"})
        self.call("run", "cpu")
        inside = self.commit(14)
        self.assertEqual(self.call("check", "cpu")[0], 0)
        self.commit(14.1)
        code, said = self.call("check", "cpu")
        self.assertEqual(code, 1)
        self.assertIn(f"cpu: a: passed at {self.first}, 14.1 days and 2 commits before", said)
        self.git("checkout", "-q", inside)
        self.assertEqual(self.call("check", "cpu")[0], 0, "an old commit stays right")

    def test_a_pass_is_too_old_after_300_commits(self):
        self.build({"a": "true"})
        self.call("run", "cpu")
        self.commit(0)
        stream = ""
        for number in range(299):
            parent = "" if stream else "from refs/heads/main^0\n"
            stream += f"commit refs/heads/main\ncommitter t <t@t> {BEGIN + number} +0000\ndata 1\nx\n{parent}"
        subprocess.run(["git", "fast-import", "--quiet"], cwd=self.root, input=stream, text=True, check=True)
        self.assertEqual(self.git("rev-list", "--count", self.first + "..HEAD"), "300")
        self.assertEqual(self.call("check", "cpu")[0], 0)
        self.commit(0)
        self.assertIn("0.0 days and 301 commits before", self.call("check", "cpu")[1])

    def test_a_commit_that_is_not_in_the_history_does_not_count(self):
        self.build({"a": "true"})
        self.git("checkout", "-q", "-b", "side")
        side = self.commit(1)
        self.call("run", "cpu")
        self.git("add", "-A")
        self.git("stash", "-q")
        self.git("checkout", "-q", "main")
        self.git("stash", "pop", "-q")
        code, said = self.call("check", "cpu")
        self.assertEqual(code, 1)
        self.assertIn(f"passed at {side}, which is not in this history", said)

    def test_the_stalest_runs_first_and_what_is_cut_off_is_listed(self):
        self.build({"a": "true", "b": "true"})
        self.call("run", "cpu", only="b")
        self.commit(1)
        self.call("run", "cpu", only="a")
        self.commit(2)
        self.call("run", "cpu")
        self.assertEqual(self.ran(), ["b", "a"])
        self.commit(3)
        self.build({"a": "true", "b": "true", "c": "true"})
        self.call("run", "cpu")
        self.assertEqual(self.ran(), ["c", "a", "b"], "one that never ran is the stalest")
        self.commit(4)
        self.build({"a": "sleep 30", "b": "true", "c": "true"})
        code, said = self.call("run", "cpu", seconds=2.0)
        self.assertEqual(code, 0, "nothing failed")
        self.assertIn("Cut off at the end of the time:\n  a\n  b\n  c\n", said)
        self.assertNotIn("b", self.ran())

    def test_a_case_that_does_not_fit_does_not_keep_others_from_running(self):
        self.build({"a": "true", "b": "true"})
        self.call("run", "cpu")
        file = os.path.join(self.root, "tests/slow_tests.csv")
        with open(file, encoding="utf-8") as text:
            lines = text.read().splitlines()
        self.assertTrue(lines[1].startswith("a,cpu,passed,"))
        fields = lines[1].split(",")
        fields[slow_tests.FIELDS.index("seconds")] = "3600"
        self.write("tests/slow_tests.csv", "\n".join([lines[0], ",".join(fields), *lines[2:]]) + "\n")
        self.build({"a": "sleep 30", "b": "true"})
        code, said = self.call("run", "cpu", seconds=6.0)
        self.assertEqual(self.ran()[:1], ["b"])
        self.assertIn("Cut off at the end of the time:\n  a\n", said)

    def test_a_new_case_that_is_cut_off_is_a_failure(self):
        self.build({"a": "sleep 30"})
        code, said = self.call("run", "cpu", seconds=1.0)
        self.assertEqual(code, 1)
        self.assertIn("NEVER RUN: run them and commit tests/slow_tests.csv:\n  a\n", said)

    def test_a_failure_stays_until_it_passes_and_runs_first(self):
        self.build({"a": "true", "b": "true"})
        self.call("run", "cpu", only="a")
        self.commit(1)
        self.call("run", "cpu", only="b")
        self.build({"a": "true", "b": "echo because; exit 3"})
        code, said = self.call("run", "cpu", only="b")
        self.assertEqual(code, 1)
        self.assertIn("because\n\nexit code 3", said)
        self.assertIn("FAILED:\n  b\n", said)
        second = self.commit(2)
        self.assertIn("cpu: b: failed at", self.call("check", "cpu")[1])
        self.build({"a": "true", "b": "true"})
        self.call("run", "cpu")
        self.assertEqual(self.ran(), ["b", "a"])
        self.assertEqual(self.rows()["b", "passed"]["commit"], second)
        self.assertNotIn(("b", "failed"), self.rows())
        self.assertEqual(self.call("check", "cpu")[0], 0)

    def test_a_skip_a_timeout_and_a_crash_are_no_passes(self):
        self.build({"skipped": "echo SKIPPED", "crashed": "echo SKIPPED; kill -11 $$", "slow": "sleep 30"}, timeout=3)
        code, said = self.call("run", "cpu")
        self.assertEqual(code, 1)
        self.assertIn("Skipped:\n  skipped\n", said)
        self.assertIn("The case took longer than 3 s.", said)
        self.assertIn("FAILED:\n  crashed\n  slow\n", said)
        self.assertEqual(sorted(self.rows()), [("crashed", "failed"), ("slow", "failed")])

    def test_a_listed_case_has_the_time_of_an_old_pass_and_one_that_is_gone_has_no_row(self):
        self.build({"a": "true", "b": "true"}, "auto", "gpu;long")
        self.assertEqual(self.call("list", "gpu")[0], 0)
        self.commit(14)
        self.assertEqual(self.call("check", "gpu")[0], 0)
        self.commit(15)
        self.assertIn(f"gpu: a: never passed, listed at {self.first}, 15.0 days", self.call("check", "gpu")[1])
        self.build({"a": "true"}, "auto", "gpu;long")
        self.call("list", "gpu")
        self.assertEqual([(key, row["commit"]) for key, row in self.rows().items()], [(("a", "listed"), self.first)])

    def test_rows_that_a_merge_left_twice_count_as_the_newer(self):
        self.build({"a": "true"})
        self.call("run", "cpu")
        row = self.rows()["a", "passed"]
        line = ",".join(row.values())
        newer = line.replace("2027-01-15", "2027-01-16")
        self.write("tests/slow_tests.csv", ",".join(row) + f"\n{newer}\n{line}\n")
        record = slow_tests.Record(slow_tests.Repository(self.root))
        self.assertEqual(record.newest("a", "cpu")["committed"], "2027-01-16T08:00:00Z")


if __name__ == "__main__":
    unittest.main()
