"""tools/failed_cases.py finds what failed in a log of ctest."""

import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(__file__), '..', '..', 'tools', 'failed_cases.py')

PASSING = '''        Start 1: One.Passes
1/3 Test #1: One.Passes ......   Passed    0.01 sec
'''

FAILING = '''        Start 2: test_many
2/3 Test #2: test_many ......***Failed    1.01 sec
[ RUN      ] Many.First
first says something
[       OK ] Many.First (1 ms)
[ RUN      ] Many.Second/2
a.cpp:7: Failure
Expected equality
[  FAILED  ] Many.Second/2, where GetParam() = 2 (12 ms)
[ RUN      ] Many.Third
[  SKIPPED ] Many.Third (0 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Many.Second/2, where GetParam() = 2
'''

SUMMARY = '''
50% tests passed, 1 tests failed out of 2

The following tests FAILED:
\t  2 - test_many (Failed)
'''


def told(*parts):
    with tempfile.NamedTemporaryFile('w', suffix='.log') as log:
        log.write(''.join(parts))
        log.flush()
        done = subprocess.run([sys.executable, TOOL, log.name], capture_output=True, text=True, check=True)
        return done.stdout.replace(log.name, 'LOG').splitlines()


class FailedCases(unittest.TestCase):
    def test_a_case_that_failed_is_told_with_its_lines(self):
        self.assertEqual(told(PASSING, FAILING, SUMMARY),
                         ['FAILED: Many.Second/2', '  a.cpp:7: Failure', '  Expected equality'])

    def test_a_case_that_did_not_end_is_told(self):
        crashed = FAILING.split('[  FAILED  ]')[0]
        for after in ['', SUMMARY, '3/3 Test #3: Other ...   Passed    0.01 sec\n', '        Start 3: Other\n']:
            self.assertEqual(told(crashed, after)[0], 'FAILED: Many.Second/2')
            self.assertEqual(len(told(crashed, after)), 3)

    def test_what_a_sanitizer_says_after_the_cases_is_told(self):
        passed = FAILING.split('[ RUN      ] Many.Second')[0]
        leak = '==7==ERROR: LeakSanitizer: detected memory leaks\n    #0 malloc\n'
        self.assertEqual(told(passed, leak, SUMMARY),
                         ['FAILED: outside of the cases', '  ==7==ERROR: LeakSanitizer: detected memory leaks', '      #0 malloc'])

    def test_the_first_lines_of_a_long_one_are_told(self):
        lines = told('[ RUN      ] A.B\n', *(f'line {k}\n' for k in range(50)), '[  FAILED  ] A.B (1 ms)\n')
        self.assertEqual(lines[1], '  line 0')
        self.assertEqual(lines[40:], ['  line 39', '  ... 10 more lines in LOG'])

    def test_of_tests_that_passed_nothing_is_told(self):
        self.assertEqual(told(PASSING, SUMMARY), [])


unittest.main()
