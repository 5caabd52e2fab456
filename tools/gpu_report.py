#!/usr/bin/env python3
"""Puts GoogleTest reports of a run on a GPU into one record: commit, device, driver, and every case with its result.

    tools/gpu_report.py COMMIT OUT.json REPORT.json [REPORT.json ...]

The reports come from `test_core --gtest_filter='*cuda*' --gtest_output=json:core.json` and likewise for test_neighbors,
test_sim and test_render. Fails when a case failed, or when none ran.
"""
import json
import subprocess
import sys


def main() -> int:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    commit, out, reports = sys.argv[1], sys.argv[2], sys.argv[3:]
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0].split(", ")
    passed, failed, skipped = [], [], []
    for report in reports:
        with open(report) as file:
            for suite in json.load(file)["testsuites"]:
                for case in suite["testsuite"]:
                    full = f'{suite["name"]}.{case["name"]}'
                    if case.get("failures"):
                        failed.append(full)
                    elif case["result"] == "SKIPPED":
                        skipped.append(full)
                    elif case["result"] == "COMPLETED":
                        passed.append(full)
    with open(out, "w") as file:
        json.dump({"commit": commit, "device": name, "driver": driver, "failed": failed, "skipped": skipped, "passed": passed},
                  file, indent=1)
        file.write("\n")
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
