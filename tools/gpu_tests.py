#!/usr/bin/env python3
"""Runs the tests of a GPU in shares of less than 8 minutes, and makes records of them for docs/gpu_runs.

    tools/gpu_tests.py run FOLDER [--seconds N] [--jobs N] [--filter F] PROGRAM...
        Runs the cases of the test programs that F names ('*cuda*' if not given), also the slow ones, until N seconds (450) have
        passed. With --jobs it runs that many processes side by side; of the slow cases those that took longest begin. The reports
        of GoogleTest go into FOLDER. The next call with this folder runs the cases that have no report yet.
        Exit code 0: all have run and none failed; 1: one failed; 3: there are more to run.
    tools/gpu_tests.py record FOLDER [OUT]
        Packs the reports and writes their summary beside them: OUT/<date>-<device>-<commit>.json and .tar.xz. OUT is
        docs/gpu_runs if not given.
    tools/gpu_tests.py check [OUT]
        Makes each summary again from its reports. Fails where one differs, or has no reports.

The commit comes from the programs, the time and the device from the run.
"""
import argparse
import glob
import io
import json
import lzma
import os
import re
import subprocess
import sys
import tarfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import slow_tests  # noqa: E402 (how long slow cases took)

SHARE = 450  # [s]
BATCH = 200  # cases in a process; a slow case has one of its own
# Their reports were not kept.
WITHOUT_REPORTS = {"2026-11-20-h200.json", "2026-11-21-h200.json", "2026-11-22-h200.json", "2026-11-22-h200-e59ca83.json",
                   "2026-11-22-h200-643e27e.json"}
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SLOW = re.compile(r"(^|/)Long[^./]*\.")


def list_cases(program, pattern):
    text = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=" + pattern], check=True, capture_output=True,
                          text=True).stdout
    cases, suite = [], ""
    for line in text.splitlines():
        name = line.split("  # ")[0].rstrip()
        if name.endswith(".") and not line.startswith(" "):
            suite = name
        elif line.startswith("  ") and suite:
            cases.append(suite + name.strip())
    return cases


def results_of(report):
    """(case, its result, its seconds) for each case of a report that ran."""
    for suite in report["testsuites"]:
        for case in suite["testsuite"]:
            name = f'{suite["name"]}.{case["name"]}'
            seconds = float(case["time"].rstrip("s"))
            if case.get("failures"):
                yield name, "failed", seconds
            elif case["result"] in ("COMPLETED", "SKIPPED"):
                yield name, "skipped" if case["result"] == "SKIPPED" else "passed", seconds


def made_report(case, why, seconds):
    """The report of a process that ended without one."""
    suite, name = case.split(".", 1)
    one = {"name": name, "status": "RUN", "result": "COMPLETED", "time": f"{seconds:.3f}s", "failures": [{"failure": why}]}
    return {"tests": 1, "failures": 1, "testsuites": [{"name": suite, "testsuite": [one]}]}


def save(file, content):
    with open(file + ".part", "w", encoding="utf-8") as out:
        out.write(content)
    os.replace(file + ".part", file)


def read_reports(folder):
    reports = {}
    for file in sorted(glob.glob(os.path.join(folder, "*.report.json"))):
        with open(file, encoding="utf-8") as text:
            reports[os.path.basename(file)] = json.load(text)
    return reports


def batches_of(cases, jobs):
    """@return the batches of usual cases, and those of slow cases"""
    usual = [case for case in cases if not SLOW.search(case)]
    size = BATCH if jobs == 1 else BATCH // 4
    return [usual[i:i + size] for i in range(0, len(usual), size)], [[case] for case in cases if SLOW.search(case)]


class Share:
    """The batches of one call. Several threads may run batches side by side."""

    def __init__(self, folder, seconds):
        self.folder, self.seconds = folder, seconds
        self.begin = time.monotonic()
        self.reports = read_reports(folder)
        self.done = {name for report in self.reports.values() for name, _, _ in results_of(report)}
        self.first_number = self.next_number = 1 + max((int(name.split(".")[-3]) for name in self.reports), default=-1)
        self.lock = threading.Lock()

    def left(self):
        return self.seconds - (time.monotonic() - self.begin)

    def begin_batch(self, program):
        """@return the name of the report, and whether this is the first batch of the share"""
        with self.lock:
            number, self.next_number = self.next_number, self.next_number + 1
            return f"{os.path.basename(program)}.{number:04}.report.json", number == self.first_number

    def run_batch(self, program, batch):
        """@return batches that are still to run, and whether there is time for one"""
        name, first = self.begin_batch(program)
        file = os.path.join(self.folder, name)
        begin, why, output = time.monotonic(), "", ""
        command = [program, "--gtest_filter=" + ":".join(batch), "--gtest_output=json:" + file + ".part"]
        try:
            process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, errors="replace", timeout=max(self.left(), 0.1))
            output, why = process.stdout, f"the process ended with {process.returncode} and without a report"
        except subprocess.TimeoutExpired:
            if not first:
                return [batch], False  # the next share begins with it
            why = f"took longer than a share of {self.seconds:.0f} s"
        seconds = time.monotonic() - begin
        try:
            with open(file + ".part", encoding="utf-8") as text:
                report = json.load(text)
            os.remove(file + ".part")
        except (FileNotFoundError, json.JSONDecodeError):
            if len(batch) > 1:  # which of them?
                half = len(batch) // 2
                return [batch[:half], batch[half:]], self.left() > 0
            report = made_report(batch[0], why + "\n" + output[-4000:], seconds)
        save(file, json.dumps(report, indent=1) + "\n")
        with self.lock:
            self.keep(name, report, batch, output)
        return [], self.left() > 0

    def keep(self, name, report, batch, output):
        self.reports[name] = report
        for case, result, case_seconds in results_of(report):
            self.done.add(case)
            if result == "failed" or len(batch) == 1:
                print(f"{result:8} {case_seconds:7.1f} s  {case}", flush=True)
        if any(result == "failed" for _, result, _ in results_of(report)):
            print(output, flush=True)


def machine():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        line = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]
    except (FileNotFoundError, subprocess.CalledProcessError):
        return {"device": "no GPU", "driver": "none"}
    return dict(zip(("device", "driver"), (word.strip() for word in line.split(","))))


def run(folder, seconds, jobs, pattern, programs):
    os.makedirs(folder, exist_ok=True)
    found = machine()
    file = os.path.join(folder, "machine.json")
    if os.path.exists(file):
        with open(file, encoding="utf-8") as text:
            if json.load(text) != found:
                sys.exit(f"{folder} has reports of another machine")
    save(file, json.dumps(found) + "\n")
    share = Share(folder, seconds)
    usual, slow = [], []
    for program in programs:
        cases = [case for case in list_cases(program, pattern) if case not in share.done]
        for waiting, batches in zip((usual, slow), batches_of(cases, jobs)):
            waiting += [(program, batch) for batch in batches]
    record = slow_tests.Record(slow_tests.Repository(ROOT))

    def seconds_before(case):
        newest = record.newest(case, "gpu")
        return float(newest["seconds"] or 0) if newest else 0

    slow.sort(key=lambda one: -seconds_before(one[1][0]))
    remaining = run_all(share, usual + slow, jobs)
    failed = [name for report in share.reports.values() for name, result, _ in results_of(report) if result == "failed"]
    print(f"{len(share.done)} cases have run, {len(failed)} failed, {remaining} are left")
    return 3 if remaining else 1 if failed or not share.done else 0


def run_all(share, waiting, jobs):
    """Runs batches, `jobs` of them side by side, until none is left or the time is over. @return how many cases are left"""
    lock = threading.Lock()

    def work():
        time_left = True
        while time_left:
            with lock:
                if not waiting:
                    return
                program, batch = waiting.pop(0)
            again, time_left = share.run_batch(program, batch)
            with lock:
                waiting[:0] = [(program, some) for some in again]

    threads = [threading.Thread(target=work) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(len(batch) for _, batch in waiting)


def summary_of(files):
    """@param files  {name: text} of a folder that run() has filled"""
    reports = {name: json.loads(text) for name, text in sorted(files.items()) if name.endswith(".report.json")}
    commits = sorted({report["commit"] for report in reports.values() if "commit" in report})
    if len(commits) != 1:
        raise ValueError(f"the reports are of {len(commits)} commits: {' '.join(commits)}")
    if not re.match(r"[0-9a-f]{40}( changed)?$", commits[0]):
        raise ValueError(f"the programs' commit is {commits[0]}: build them in a git checkout")
    results = {}
    for report in reports.values():
        for name, result, seconds in results_of(report):
            results[name] = result, seconds
    times = sorted(report["timestamp"] for report in reports.values() if "timestamp" in report)
    summary = {"commit": commits[0], **json.loads(files["machine.json"]), "from": times[0], "to": times[-1]}
    for wanted in ("failed", "skipped", "passed"):
        summary[wanted] = sorted(name for name, (result, _) in results.items() if result == wanted)
    summary["seconds"] = {name: round(seconds, 1) for name, (_, seconds) in sorted(results.items()) if SLOW.search(name)}
    return summary


def pack(folder):
    """A .tar.xz of the folder's reports: the same bytes for the same reports."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in sorted(glob.glob(os.path.join(folder, "*.report.json"))) + [os.path.join(folder, "machine.json")]:
            with open(file, "rb") as content:
                data = content.read()
            entry = tarfile.TarInfo(os.path.basename(file))
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return lzma.compress(packed.getvalue(), preset=9)


def unpacked(packed):
    with tarfile.open(fileobj=io.BytesIO(lzma.decompress(packed))) as archive:
        return {entry.name: archive.extractfile(entry).read().decode() for entry in archive.getmembers()}


def text_of(summary, reports):
    return json.dumps({**summary, "reports": reports}, indent=1) + "\n"


def record(folder, out):
    packed = pack(folder)
    summary = summary_of(unpacked(packed))
    device = re.sub(r"[^a-z0-9]+", "-", summary["device"].lower().replace("nvidia", "")).strip("-")
    commit = summary["commit"].replace(" ", "-")
    name = f'{summary["from"][:10]}-{device}-{commit[:7] + commit[40:]}'
    reports = name + ".tar.xz"
    with open(os.path.join(out, reports), "wb") as file:
        file.write(packed)
    save(os.path.join(out, name + ".json"), text_of(summary, reports))
    print(f'{os.path.join(out, name)}.json: {len(summary["passed"])} passed, {len(summary["failed"])} failed, '
          f'{len(summary["skipped"])} skipped')
    return 1 if summary["failed"] or not summary["passed"] else 0


def check(out):
    wrong = 0
    for file in sorted(glob.glob(os.path.join(out, "*.json"))):
        if os.path.basename(file) in WITHOUT_REPORTS:
            continue
        with open(file, encoding="utf-8") as text:
            kept = text.read()
        try:
            reports = json.loads(kept)["reports"]
            with open(os.path.join(out, reports), "rb") as packed:
                again = text_of(summary_of(unpacked(packed.read())), reports)
        except (KeyError, ValueError, OSError, lzma.LZMAError, tarfile.TarError) as error:
            print(f"{file}: its summary cannot be made again: {error!r}")
            wrong += 1
            continue
        if again != kept:
            print(f"{file}: its reports have another summary")
            wrong += 1
    return 1 if wrong else 0


def main():
    usual = os.path.join(ROOT, "docs", "gpu_runs")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("folder")
    running.add_argument("--seconds", type=float, default=SHARE)
    running.add_argument("--jobs", type=int, default=1)
    running.add_argument("--filter", default="*cuda*")
    running.add_argument("program", nargs="+")
    recording = commands.add_parser("record")
    recording.add_argument("folder")
    recording.add_argument("out", nargs="?", default=usual)
    commands.add_parser("check").add_argument("out", nargs="?", default=usual)
    options = parser.parse_args()
    if options.command == "run":
        return run(options.folder, options.seconds, options.jobs, options.filter, options.program)
    if options.command == "record":
        return record(options.folder, options.out)
    return check(options.out)


if __name__ == "__main__":
    sys.exit(main())
