#!/usr/bin/env python3
"""failed_cases.py LOG: of a log of ctest --output-on-failure, the cases that failed, each with what its program said.

A test program of many cases writes hundreds of lines after the one that matters. This list comes last, where it is seen.
"""

import re
import sys

LINES = 40  # of one case; its first say what was wrong
OUTSIDE = 'outside of the cases'

STARTS = re.compile(r'^\[ RUN      \] (\S+)')
PASSED = re.compile(r'^\[ +(?:OK|SKIPPED) +\] ')
FAILED = re.compile(r'^\[  FAILED  \] (\S+?),? .*\(\d+ ms\)')
COMPLAINT = re.compile(r'Sanitizer|runtime error: |^Segmentation|^terminate called')
NEXT = re.compile(r'^\s*(?:\d+/\d+ Test +#\d+: |Start +\d+: )')
SUMMARY = re.compile(r'^\d+% tests passed|^The following tests FAILED')


def failed_cases(lines):
    """[(name of the case, its lines)]; a case that did not come to its end counts as failed."""
    found, name, said = [], None, []

    def close(failed):
        nonlocal name, said
        if name and failed:
            found.append((name, said))
        name, said = None, []

    for line in lines:
        line = line.rstrip('\n')
        if SUMMARY.match(line):
            break
        start = STARTS.match(line)
        if start:
            close(True)
            name = start[1]
        elif NEXT.match(line):
            close(True)
        elif name and FAILED.match(line):
            close(True)
        elif name and PASSED.match(line):
            close(False)
        elif name:
            if line:
                said.append(line)
        elif COMPLAINT.search(line):
            name, said = OUTSIDE, [line]
    close(True)
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], errors='replace') as log:
        cases = failed_cases(log)
    for name, said in cases:
        print(f'FAILED: {name}')
        for line in said[:LINES]:
            print(f'  {line}')
        if len(said) > LINES:
            print(f'  ... {len(said) - LINES} more lines in {sys.argv[1]}')


if __name__ == '__main__':
    main()
