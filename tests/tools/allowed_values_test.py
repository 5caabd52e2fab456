#!/usr/bin/env python3
"""tools/allowed-values on small repositories."""
import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "allowed-values")
ALLOWED = "tests/reference/allowed.csv"
JUDGED = "result.push_back(context.check(name, x));\ndouble below = 0, x = f.at_most(3);\n"


class AllowedValues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.join(folder.name, "repository")
        os.makedirs(self.root)
        self.git("init", "-q", "-b", "main")
        self.commit("The code", {"validation/ring.cpp": JUDGED})
        self.commit("The allowed values", {ALLOWED: "1\n"})

    def git(self, *arguments):
        who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True, text=True)

    def write(self, files):
        for name, text in files.items():
            path = os.path.join(self.root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)

    def commit(self, message, files):
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def check(self, root=None):
        done = subprocess.run([TOOL, root or self.root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_commit_of_its_own_may_change_them(self):
        self.commit("Tighter", {ALLOWED: "0.5\n"})
        self.commit("Other things", {"a.cpp": "a", "b.cpp": "b"})
        self.assertEqual(self.check(), (0, ""))

    def test_a_commit_that_changes_more_is_named_for_good(self):
        self.commit("A better scheme", {ALLOWED: "2\n", "sim/wcsph.cpp": "better\n"})
        self.commit("Other things", {"a.cpp": "a"})
        code, text = self.check()
        self.assertEqual(code, 1)
        self.assertIn('"A better scheme"', text)
        self.assertIn("sim/wcsph.cpp", text)
        self.assertNotIn("Other things", text)

    def test_a_table_of_references_is_something_else_too(self):
        self.commit("Tables", {ALLOWED: "2\n", "tests/reference/ring.csv": "1\n"})
        self.assertEqual(self.check()[0], 1)

    def test_a_file_that_is_renamed_along_with_them_counts(self):
        self.write({ALLOWED: "2\n"})
        self.git("mv", "validation/ring.cpp", "validation/rings.cpp")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Moved")
        self.assertEqual(self.check()[0], 1)

    def test_what_a_shallow_clone_lacks_is_not_held_against_it(self):
        self.commit("Other things", {"a.cpp": "a"})
        clone = self.root + "-clone"
        self.git("clone", "-q", "--depth", "1", "file://" + self.root, clone)
        self.assertEqual(self.check(clone), (0, ""))

    def test_a_bound_in_the_code_of_a_case_is_named(self):
        for bound in ("push_back(at_most(name, x, 0.1));", "  within(name, x, 1, 0.1)", "check.with_shortfall(why, 1)"):
            self.write({"validation/ring.cpp": "//\n" + bound + "\n", "validation/check.cpp": bound,
                        "validation/cases/oval.cpp": bound})
            code, text = self.check()
            self.assertEqual(code, 1, bound)
            self.assertIn("validation/ring.cpp has a bound", text)
            self.assertIn("validation/cases/oval.cpp has a bound", text)
            self.assertIn("2:" + bound, text)
            self.assertNotIn("check.cpp", text)


if __name__ == "__main__":
    unittest.main()
