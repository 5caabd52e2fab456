#!/usr/bin/env python3
"""Runs the slow tests, those that were not run for longest first, and keeps tests/slow_tests.csv: each case's newest pass.

    tools/slow_tests.py run WHERE [--seconds N] [--only REGEX]
        Builds, runs the slow cases of WHERE and records their passes. --seconds: stops then, and lists what was cut off.
        Fails when a case failed, or when none ran.
    tools/slow_tests.py check [WHERE...]
        Lists the cases whose newest pass is too old, or that failed after it. Fails when there is one.
    tools/slow_tests.py list WHERE
        Adds the cases of a build that are not in the file, and removes those that are no longer in the build. From the commit
        checked out on such a case has the time that an old pass has.
    tools/slow_tests.py from-gpu-record RECORD.json
        Takes the slow cases of a record of docs/gpu_runs that has its raw reports.

WHERE is cpu, sanitizers or gpu. A pass is too old when it lies more than 14 days, by the dates of commits, or more than 300
commits before the commit checked out. See docs/development.md for the file.
"""
import argparse
import csv
import datetime
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

MOST_DAYS = 14
MOST_COMMITS = 300
FIELDS = ["case", "where", "state", "commit", "committed", "seconds", "device"]
STATES = ["passed", "listed", "changed", "failed"]  # a case has one of the first two, and may have each of the others

# The build, the labels that its cases must have, and those that they must not have.
PLACES = {
    "cpu": ("cpu-release", {"long"}, {"gpu"}),
    "sanitizers": ("cpu-debug", {"sanitizers"}, {"gpu"}),
    "gpu": ("auto", {"long", "gpu"}, set()),
}


class Repository:
    def __init__(self, root):
        self.root = root
        self.file = os.path.join(root, "tests", "slow_tests.csv")
        self.distances = {}

    def git(self, *arguments):
        """Its output without the end of the line, or None if it failed."""
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True)
        return done.stdout.rstrip("\n") if done.returncode == 0 else None

    def head(self):
        """(commit, its date), or None outside of a git checkout."""
        line = self.git("log", "-1", "--format=%H %ct")
        if not line:
            return None
        commit, seconds = line.split()
        return commit, text_of(int(seconds))

    def clean(self):
        """Whether the sources are those of the commit. What this tool writes does not count."""
        status = self.git("status", "--porcelain", "--untracked-files=all", "--", ".", ":!tests/slow_tests.csv")
        return status == ""

    def commits_before(self, commit):
        """The number of commits between the commit and HEAD; None if it is not one of HEAD's ancestors."""
        if commit not in self.distances:
            ancestor = self.git("merge-base", "--is-ancestor", commit, "HEAD") is not None
            self.distances[commit] = int(self.git("rev-list", "--count", commit + "..HEAD")) if ancestor else None
        return self.distances[commit]

    def shallow(self):
        return self.git("rev-parse", "--is-shallow-repository") == "true"


def text_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")


class Record:
    """The rows of the file, by (case, where, kind of state)."""

    def __init__(self, repository):
        self.repository = repository
        self.rows = {}
        if os.path.exists(repository.file):
            with open(repository.file, newline="", encoding="utf-8") as text:
                for row in csv.DictReader(text):
                    if row.get("where") not in PLACES or row.get("state") not in STATES:
                        sys.exit(f"{repository.file}: not a row of slow tests: {row}")
                    self.add(row)

    @staticmethod
    def key(row):
        kind = "passed" if row["state"] == "listed" else row["state"]
        return row["case"], row["where"], kind

    def add(self, row):
        """Keeps the newer of two rows: a merge of branches may leave both. A pass replaces a listing."""
        def rank(one):
            return one["state"] == "passed", one["committed"]
        old = self.rows.get(self.key(row))
        if not old or rank(row) >= rank(old):
            self.rows[self.key(row)] = row

    def newest(self, case, where):
        return self.rows.get((case, where, "passed"))

    def failure(self, case, where):
        """Of a commit after the newest pass's."""
        failed, passed = self.rows.get((case, where, "failed")), self.newest(case, where)
        later = failed and (not passed or passed["state"] == "listed" or failed["committed"] >= passed["committed"])
        return failed if later else None

    def cases(self, where):
        return sorted({case for case, place, _ in self.rows if place == where})

    def note(self, case, where, state, head, seconds, device):
        row = dict(zip(FIELDS, [case, where, state, head[0][:12], head[1], f"{seconds:.0f}" if seconds else "", device]))
        if state == "passed":
            self.rows.pop((case, where, "changed"), None)
            self.rows.pop((case, where, "failed"), None)
            self.rows[self.key(row)] = row
        else:
            self.add(row)

    def remove(self, case, where):
        for key in [key for key in self.rows if key[:2] == (case, where)]:
            del self.rows[key]

    def write(self):
        text = io.StringIO()
        writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
        writer.writeheader()
        for key in sorted(self.rows):
            writer.writerow(self.rows[key])
        part = self.repository.file + ".part"
        with open(part, "w", encoding="utf-8") as file:
            file.write(text.getvalue())
        os.replace(part, self.repository.file)

    def fault(self, case, where):
        """Why the newest pass does not count for HEAD; "": it does."""
        failed = self.failure(case, where)
        if failed:
            return f"failed at {failed['commit']}"
        row = self.newest(case, where)
        if not row:
            return "passed only with changes that were not committed"
        what = "passed at" if row["state"] == "passed" else "never passed, listed at"
        distance = self.repository.commits_before(row["commit"])
        if distance is None and not self.repository.shallow():
            return f"{what} {row['commit']}, which is not in this history"
        head = self.repository.head()
        days = (moment_of(head[1]) - moment_of(row["committed"])).total_seconds() / 86400
        if days > MOST_DAYS or (distance or 0) > MOST_COMMITS:
            return f"{what} {row['commit']}, {days:.1f} days and {'?' if distance is None else distance} commits before"
        return ""

    def check(self, places):
        """Prints what is too old. @return the number of such cases"""
        count = 0
        for where in places:
            faults = [(case, fault) for case in self.cases(where) if (fault := self.fault(case, where))]
            for case, fault in faults:
                print(f"  {where}: {case}: {fault}")
            count += len(faults)
            if not self.cases(where):
                print(f"  {where}: no case is in the file")
                count += 1
        return count


class Case:
    """A test as ctest describes it."""

    def __init__(self, description):
        properties = {one["name"]: one["value"] for one in description.get("properties", [])}
        self.name = re.sub(r"\s+# GetParam\(\).*", "", description["name"])
        self.command = description.get("command", [])
        self.labels = set(properties.get("LABELS", []))
        self.timeout = float(properties.get("TIMEOUT", 1500))
        self.folder = properties.get("WORKING_DIRECTORY")
        self.environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        self.skipped = properties.get("SKIP_REGULAR_EXPRESSION", [])
        self.failed = properties.get("FAIL_REGULAR_EXPRESSION", [])


def cases_of(root, where, build):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], cwd=root, capture_output=True, text=True)
    if listing.returncode != 0:
        sys.exit(f"ctest cannot list the tests of {build}:\n{listing.stderr}")
    _, wanted, unwanted = PLACES[where]
    cases = [Case(one) for one in json.loads(listing.stdout)["tests"]]
    return [case for case in cases if wanted <= case.labels and not unwanted & case.labels]


def device_of(where):
    if where == "gpu":
        query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
        return subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0].strip()
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        names = re.findall(r"^model name\s*: (.*)", text.read(), re.M)
    return (names[0].strip() if names else "unknown processor").replace(",", " ")


class Runner:
    """Runs cases side by side. Each ends as passed, failed, skipped or, at the end of the time, cut off.
    @param expected  {name: seconds}. A case that does not fit into the time left lets others go first"""

    def __init__(self, cases, jobs, deadline, expected, on_result):
        self.waiting, self.jobs, self.deadline, self.on_result = list(cases), jobs, deadline, on_result
        self.expected = expected
        self.total, self.done = len(self.waiting), 0
        self.lock = threading.Lock()
        self.stop = False
        self.results = {}

    def run(self):
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        except BaseException:
            self.stop = True
            for thread in threads:
                thread.join()
            raise
        for case in self.waiting:
            self.results[case.name] = "cut off"
        return self.results

    def out_of_time(self):
        return self.stop or (self.deadline is not None and time.monotonic() >= self.deadline)

    def next(self):
        if self.deadline is None:
            return self.waiting[0]
        left = self.deadline - time.monotonic()
        return next((case for case in self.waiting if self.expected.get(case.name, 0) <= left), self.waiting[0])

    def work(self):
        while True:
            with self.lock:
                if not self.waiting or self.out_of_time():
                    return
                case = self.next()
                self.waiting.remove(case)
            begin = time.monotonic()
            result, output = self.one(case)
            seconds = time.monotonic() - begin
            with self.lock:
                self.done += 1
                self.results[case.name] = result
                print(f"{self.done:4}/{self.total} {result:8} {seconds:7.1f} s  {case.name}", flush=True)
                if result == "failed":
                    print(output, flush=True)
                self.on_result(case, result, seconds)

    def one(self, case):
        begin, killed = time.monotonic(), ""
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(case.command, cwd=case.folder, env={**os.environ, **case.environment},
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       start_new_session=True)
            while process.poll() is None and not killed:
                if self.out_of_time():
                    killed = "cut off"
                elif time.monotonic() - begin > case.timeout:
                    killed = "failed"
                else:
                    time.sleep(0.05)
            if killed:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            output.seek(0)
            text = output.read().decode(errors="replace")
        if killed:
            return killed, text + f"\nThe case took longer than {case.timeout:.0f} s."
        if process.returncode == 0 and any(re.search(expression, text) for expression in case.skipped):
            return "skipped", text
        bad = process.returncode != 0 or any(re.search(expression, text) for expression in case.failed)
        return ("failed" if bad else "passed"), text + (f"\nexit code {process.returncode}" if bad else "")


def stalest_first(cases, record, where):
    """Failed ones first, then those that are not in the file, then the oldest pass."""
    def age(case):
        row = record.newest(case.name, where)
        return not record.failure(case.name, where), row["committed"] if row else "", case.name
    return sorted(cases, key=age)


def remove_old(record, where, names):
    for name in set(record.cases(where)) - set(names):
        record.remove(name, where)


def run(repository, options):
    where = options.where
    deadline = time.monotonic() + options.seconds if options.seconds is not None else None
    preset = PLACES[where][0]
    head, clean = repository.head(), repository.clean()  # of the sources that are built now
    subprocess.run([os.path.join(repository.root, "tools", "build"), preset], check=True)
    all_cases = cases_of(repository.root, where, os.path.join("build", preset))
    record = Record(repository)
    cases = [case for case in all_cases if not options.only or re.search(options.only, case.name)]
    if not cases:
        sys.exit("No such slow test.")
    if head is None:
        print("This is not a git checkout: nothing is recorded.")
    elif not clean:
        print("The sources differ from the commit: passes are recorded as such and do not count.")
    order = stalest_first(cases, record, where)
    new = [case.name for case in order if not record.newest(case.name, where)]
    remove_old(record, where, [case.name for case in all_cases])
    device = device_of(where)

    def on_result(case, result, seconds):
        if head is None or result not in ("passed", "failed"):
            return
        same = clean and repository.clean() and repository.head() == head
        if result == "failed" and not same:
            return
        row = record.newest(case.name, where)
        if same or not row or row["state"] != "passed":
            record.note(case.name, where, result if same else "changed", head, seconds, device)
            record.write()

    rows = {case.name: record.newest(case.name, where) for case in order}
    expected = {name: float(row["seconds"]) for name, row in rows.items() if row and row["seconds"]}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    begin = time.monotonic()
    results = Runner(order, int(os.environ.get("JOBS") or 2), deadline, expected, on_result).run()

    def named(result):
        return sorted(name for name, one in results.items() if one == result)
    passed, failed, skipped, cut = named("passed"), named("failed"), named("skipped"), named("cut off")
    unseen = [name for name in new if results[name] not in ("passed", "failed")]
    for title, names in [("Skipped", skipped), ("Cut off at the end of the time", cut),
                         ("NEVER RUN: run them and commit tests/slow_tests.csv", unseen), ("FAILED", failed)]:
        if names:
            print(f"{title}:")
            for name in names:
                print(f"  {name}")
    print(f"{len(passed)} slow tests passed, {len(failed)} failed, {len(skipped)} were skipped and {len(cut)} cut off, in "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if failed or unseen or not (passed or cut) else 0


def check(repository, places):
    if repository.head() is None:
        print("This is not a git checkout: how old the passes of the slow tests are is unknown.")
        return 0
    print(f"Slow tests that did not pass within {MOST_DAYS} days and {MOST_COMMITS} commits:")
    count = Record(repository).check(places)
    if not count:
        print("  none")
    return 1 if count else 0


def list_cases(repository, where):
    record = Record(repository)
    build = os.path.join("build", PLACES[where][0])
    if where == "gpu" and not os.path.isdir(os.path.join(repository.root, build)):
        build = os.path.join("build", "cuda-dev")
    names = [case.name for case in cases_of(repository.root, where, build)]
    if not names:
        sys.exit(f"{build} has no such test")
    for name in names:
        if not record.newest(name, where):
            record.note(name, where, "listed", repository.head(), None, "")
    remove_old(record, where, names)
    record.write()
    print(f"{len(names)} cases")
    return 0


def from_gpu_record(repository, file):
    with open(file, encoding="utf-8") as text:
        summary = json.load(text)
    if not summary.get("reports"):
        sys.exit(f"{file} has no raw reports: its commit is not known for sure")
    line = repository.git("log", "-1", "--format=%H %ct", summary["commit"])
    if not line:
        sys.exit(f"{file}: the commit {summary['commit']} is not in this repository")
    head = line.split()[0], text_of(int(line.split()[1]))
    record = Record(repository)
    slow = re.compile(r"(^|/)Long[^./]*\.")
    for state in ("passed", "failed"):
        for name in summary[state]:
            if slow.search(name):
                record.note(name, "gpu", state, head, summary["seconds"].get(name), summary["device"])
    record.write()
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("where", choices=PLACES)
    running.add_argument("--seconds", type=float)
    running.add_argument("--only", metavar="REGEX")
    commands.add_parser("check").add_argument("where", nargs="*")
    commands.add_parser("list").add_argument("where", choices=PLACES)
    commands.add_parser("from-gpu-record").add_argument("file")
    options = parser.parse_args()
    repository = Repository(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if options.command == "run":
        return run(repository, options)
    if options.command == "check":
        for where in options.where:
            if where not in PLACES:
                parser.error(f"'{where}' is none of {', '.join(PLACES)}")
        return check(repository, options.where or list(PLACES))
    if options.command == "list":
        return list_cases(repository, options.where)
    return from_gpu_record(repository, options.file)


if __name__ == "__main__":
    sys.exit(main())
