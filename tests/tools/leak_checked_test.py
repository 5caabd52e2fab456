#!/usr/bin/env python3
"""tools/leak-checked with commands that end as a test program with sanitizers does."""
import os
import subprocess
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "leak-checked")
PASSED = "[  PASSED  ] 12 tests."
BROKE = "==7==LeakSanitizer has encountered a fatal error."


class LeakChecked(unittest.TestCase):
    def run_tool(self, *lines, code=1, then=None):
        """The command says the lines and ends with the code; at its second start, with `then`.
        @return (exit code, how often it ran)"""
        with tempfile.TemporaryDirectory() as folder:
            count = os.path.join(folder, "count")
            script = 'echo x >>"$1"; if [ -n "$3" ] && [ $(wc -l <"$1") = 2 ]; then exit "$3"; fi; printf "%s\\n" "$4"; exit "$2"'
            command = ["sh", "-c", script, "sh", count, str(code), "" if then is None else str(then), "\n".join(lines)]
            done = subprocess.run([TOOL, *command], capture_output=True, text=True)
            with open(count, encoding="utf-8") as text:
                return done.returncode, len(text.readlines())

    def test_a_pass_and_a_failure_are_what_they_are(self):
        self.assertEqual(self.run_tool(PASSED, code=0), (0, 1))
        self.assertEqual(self.run_tool(PASSED, "[  FAILED  ] 1 test", code=1), (1, 1))
        self.assertEqual(self.run_tool(PASSED, code=139), (139, 1))
        self.assertEqual(self.run_tool(code=3), (3, 1))

    def test_a_leak_check_that_fails_itself_is_made_again_once(self):
        self.assertEqual(self.run_tool(PASSED, BROKE, then=0), (0, 2))
        self.assertEqual(self.run_tool(PASSED, BROKE, then=4), (4, 2))
        self.assertEqual(self.run_tool(PASSED, BROKE), (1, 2))

    def test_it_is_made_again_without_the_record_of_thread_local_memory(self):
        script = f'echo "$ASAN_OPTIONS"; echo "{PASSED}"; echo "{BROKE}"; case "$ASAN_OPTIONS" in *get_addr=0) exit 0;; esac; exit 1'
        done = subprocess.run([TOOL, "sh", "-c", script], capture_output=True, text=True, env={**os.environ, "ASAN_OPTIONS": "x=1"})
        self.assertEqual(done.returncode, 0)
        self.assertEqual([line for line in done.stdout.splitlines() if line.startswith("x=")], ["x=1", "x=1:intercept_tls_get_addr=0"])

    def test_a_fault_beside_it_is_a_fault(self):
        for fault in ("[  FAILED  ] 1 test", "==7==ERROR: LeakSanitizer: detected memory leaks", "a.cpp:3:1: runtime error: overflow"):
            self.assertEqual(self.run_tool(PASSED, fault, BROKE, then=0), (1, 1), fault)
        self.assertEqual(self.run_tool("[ RUN      ] A.B", BROKE, then=0), (1, 1))

    def test_a_list_of_the_cases_is_written_without_a_leak_check(self):
        done = subprocess.run([TOOL, "sh", "-c", "echo $ASAN_OPTIONS", "sh", "--gtest_list_tests"], capture_output=True, text=True,
                              env={**os.environ, "ASAN_OPTIONS": "x=1"})
        self.assertEqual((done.returncode, done.stdout), (0, "x=1:detect_leaks=0\n"))


if __name__ == "__main__":
    unittest.main()
