#!/usr/bin/env python3
"""Runs what must hold for a long time, and writes docs/reliability.md's tables from the records of these runs.

    tools/reliability.py run WHAT... [--program FILE] [--tests FOLDER] [--seconds N] [--steps N] [--closings N] [--device D] [--jobs N]
        WHAT is closings   the window is ended at N (200) random instants
                dpd        N (1,000,000) steps of 4,096 particles; a run that was cut off goes on from its last state
                scenes     every scene's small variant for N s (600) of wall time, --jobs (1) of them side by side; with
                           --device cuda on the GPU (60 is enough); with --only NAME,NAME the rows of these scenes alone
                soak       the window for N s (3600), twice side by side: soak_window goes through everything that allocates,
                           soak_equilibrium has a fluid of DPD that must stay in equilibrium. Each can be run alone.
        Each writes docs/reliability/WHAT.json (dpd_cpu, scenes_gpu ...) with the commit, the machine and the date. Exit code 1: one of them failed.
    tools/reliability.py write      the tables of docs/reliability.md, from these records and those of tools/fuzz --record
    tools/reliability.py check      fails where a table is not that of its records

`make reliability` runs closings, scenes on the CPU, dpd and soak with the release build.
"""
import argparse
import concurrent.futures
import csv
import datetime
import functools
import glob
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gpu_tests  # noqa: E402 (name of the GPU)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDS = os.path.join(ROOT, "docs/reliability")
DOCUMENT = os.path.join(ROOT, "docs/reliability.md")
DPD_EDGE = 11.0957  # [r_c] of a box of 4,096 particles with 3 in a unit of volume
DPD_SERIES = 40     # [tau] between rows, 1,000 steps
DPD_STEP = 0.04     # [tau]


def text_of(file):
    with open(file) as opened:
        return opened.read()


def commit_of(program):
    """The commit that the program names, with " changed" where its sources were others."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"^commit\s+(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else "unknown"


def where_and_when(program=None, device="cpu"):
    """What every record has beside its numbers."""
    model = re.search(r"model name\s*: (.+)", text_of("/proc/cpuinfo"))
    if program:
        commit = commit_of(program)
    else:
        git = ["git", "-C", ROOT]
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
        if subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True).stdout.strip():
            commit += " changed"
    machine = f"{model[1] if model else 'CPU'}, {os.cpu_count()} cores"
    return {"commit": commit, "machine": machine if device == "cpu" else f"{gpu_tests.machine()['device']}; {machine}",
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}


def write_record(what, record):
    os.makedirs(RECORDS, exist_ok=True)
    with open(os.path.join(RECORDS, what + ".json"), "w") as out:
        json.dump(record, out, indent=1)
        out.write("\n")


def memory_of(process):
    """[MiB] that a process has written to."""
    try:
        found = re.search(r"RssAnon:\s+(\d+)", text_of(f"/proc/{process}/status"))
        return int(found[1]) / 1024 if found else None
    except OSError:
        return None


def run_watched(command, seconds=None, folder=None):
    """Runs a command, ends it as Ctrl-C does after `seconds`, and looks at its memory every second.
    (exit code, MiB after a tenth of the time, largest MiB of the last tenth, seconds, standard error)"""
    begin = time.time()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    memory, interrupted = [], False
    while True:
        try:
            _, said = process.communicate(timeout=1)
            break
        except subprocess.TimeoutExpired:
            value = memory_of(process.pid)
            if value is not None:
                memory.append(value)
            if seconds and not interrupted and time.time() - begin >= seconds:
                process.send_signal(signal.SIGINT)
                interrupted = True
    tenth = max(1, len(memory) // 10)
    return (process.returncode, memory[tenth - 1] if memory else None, max(memory[-tenth:], default=None),
            time.time() - begin, said)


def numbers(rows, name):
    """A column by the beginning of its name, which has the unit behind it."""
    key = next((key for key in rows[0] if key == name or key.startswith(name + " [")), None)
    return [float(row[key]) for row in rows] if key else []


def table_rows(file):
    with open(file) as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def summary_of_dpd(folder, program, device, exit_code, memory):
    rows = table_rows(os.path.join(folder, "series.csv"))
    temperature = numbers(rows, "temperature")[1:]
    halves = [temperature[:len(temperature) // 2], temperature[len(temperature) // 2:]]
    momentum = max(abs(p) for axis in "xyz" for p in numbers(rows, "momentum_" + axis))
    mean = sum(temperature) / len(temperature)
    return {"steps": int(numbers(rows, "step")[-1]), "particles": 4096, "rows": len(temperature), "exit_code": exit_code,
            "temperature": mean, "temperature_halves": [sum(half) / len(half) for half in halves],
            "spread": math.sqrt(sum((t - mean) ** 2 for t in temperature) / len(temperature)),
            "largest_momentum_of_a_particle": momentum / 4096, "mebibytes": memory,
            **where_and_when(program, device)}


def run_dpd(options):
    folder = os.path.abspath(options.folder or os.path.join(ROOT, "build/reliability", "dpd_" + options.device))
    os.makedirs(folder, exist_ok=True)
    state, series = os.path.join(folder, "state.h5"), os.path.join(folder, "series.csv")
    steps = options.steps or 1000000
    common = ["--device", options.device, "--out", folder, "--no-picture", "--quiet", "--series", series, "--series-every",
              str(DPD_SERIES), "--checkpoint", state, "--checkpoint-every", "400"]
    if os.path.exists(state):
        command = [options.program, "resume", state, "--time", str(steps * DPD_STEP), *common]
    else:
        size = f"[{DPD_EDGE}, {DPD_EDGE}, {DPD_EDGE}]"
        command = [options.program, "run", "dpd_box", "--set", "domain.max=" + size, "--set", "bodies[0].box.max=" + size,
                   "--steps", str(steps), *common]
    code, first, last, _, said = run_watched(command, options.seconds)
    if not os.path.exists(series):
        sys.exit(said)
    record = summary_of_dpd(folder, options.program, options.device, code, [first, last])
    write_record("dpd_gpu" if options.device == "cuda" else "dpd_cpu", record)
    return code in (0, 130) and abs(record["temperature"] - 1) < 0.05


def small_scenes(program):
    """Those of `riffle list` that are no larger variant of another, such as dam_break_72k."""
    text = subprocess.run([program, "list"], capture_output=True, text=True).stdout
    names = re.findall(r"^\s{0,2}(\w+)\s", text.split("Scenes", 1)[1].split("\n\n", 1)[0], re.MULTILINE)
    return [name for name in names if not re.search(r"_\d+k$", name)]


def run_scene(options, name, seconds):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        code, first, last, took, said = run_watched(
            [options.program, "run", name, "--device", options.device, "--time", "1e9", "--out", folder, "--no-picture", "--quiet",
             "--json", report], seconds)
        numbers_of = json.loads(text_of(report)) if os.path.exists(report) else {}
    clean = [line for line in said.splitlines() if line.strip()]
    return {"scene": name, "exit_code": code, "seconds": round(took), "steps": find(numbers_of, "steps"),
            "time": find(numbers_of, "simulated_time"), "non_finite": find(numbers_of, "non_finite"), "particles": find(numbers_of, "particles"),
            "mebibytes": [first, last], "said": clean[-1] if clean else ""}


def find(tree, key):
    """The first value of that key in a report."""
    if isinstance(tree, dict):
        if key in tree and not isinstance(tree[key], (dict, list)):
            return tree[key]
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            value = find(part, key)
            if value is not None:
                return value
    return None


def with_sources(record):
    """The rows of a record of scenes, each with its commit, machine and date. Older records had these once for all rows."""
    common = {key: record[key] for key in ("commit", "machine", "date") if key in record}
    return [{**common, **scene} for scene in record["scenes"]]


def run_scenes(options):
    seconds = options.seconds or 600
    source = where_and_when(options.program, options.device)
    kind = "scenes_gpu" if options.device == "cuda" else "scenes_cpu"
    names = small_scenes(options.program)
    only = [name for name in options.only.split(",") if name]
    if not set(only) <= set(names):
        sys.exit(f"--only: found {', '.join(sorted(set(only) - set(names)))}; allowed: {', '.join(names)}")
    before = load(kind) if only else None
    if before and before["seconds"] != seconds:
        sys.exit(f"--seconds: found {seconds:g}; allowed beside the rows on record: {before['seconds']:g}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as side_by_side:
        scenes = list(side_by_side.map(lambda name: {**run_scene(options, name, seconds), **source}, only or names))
    old = with_sources(before) if before else []
    rows = {scene["scene"]: scene for scene in old + scenes}
    write_record(kind, {"seconds": seconds, "scenes": [rows[name] for name in sorted(rows)]})
    for scene in scenes:
        if scene["exit_code"] != 130:
            print(f"{scene['scene']}: ended with the code {scene['exit_code']}: {scene['said']}")
    return all(scene["exit_code"] == 130 and not scene["non_finite"] for scene in scenes)


def run_test(options, name, pattern, environment):
    """Runs cases of test_interface and records their properties."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        program = os.path.join(options.tests, "desktop/test_interface")
        code = subprocess.run([program, "--gtest_filter=" + pattern, "--gtest_output=json:" + report],
                              env=dict(os.environ, RIFFLE_REQUIRE_DISPLAY_TESTS="1", **environment)).returncode
        cases = [case for suite in json.loads(text_of(report))["testsuites"] for case in suite["testsuite"]]
    usual = {"name", "file", "line", "status", "result", "timestamp", "time", "classname", "failures"}
    record = {"passed": code == 0, "cases": [{"case": case["classname"] + "." + case["name"], "seconds": case["time"],
                                              "failed": bool(case.get("failures")),
                                              **{key: case[key] for key in case if key not in usual}} for case in cases],
              **where_and_when(options.program)}
    write_record(name, record)
    return code == 0


def run_closings(options):
    return run_test(options, "closings" + options.suffix, "LongClosings.*", {"RIFFLE_CLOSINGS": str(options.closings or 200)})


SOAKS = {"soak_window": "LongDesktop.Soak", "soak_equilibrium": "LongDesktop.ADpdFluidStaysInEquilibrium"}


def run_soak(options, names=tuple(SOAKS)):
    seconds = {"RIFFLE_SOAK_SECONDS": str(options.seconds or 3600)}
    with concurrent.futures.ThreadPoolExecutor() as side_by_side:
        return all(side_by_side.map(lambda name: run_test(options, name, SOAKS[name], seconds), names))


RUNS = {"closings": run_closings, "dpd": run_dpd, "scenes": run_scenes, "soak": run_soak,
        **{name: functools.partial(run_soak, names=(name,)) for name in SOAKS}}

# ---- the document


def number(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def source_of(record):
    commit = record["commit"].split()
    return f"{commit[0][:8]}{' with changes' if len(commit) > 1 else ''}, {record['date']}, {record['machine']}"


def load(name):
    file = os.path.join(RECORDS, name + ".json")
    return json.loads(text_of(file)) if os.path.exists(file) else None


def table(head, rows):
    line = lambda cells: "| " + " | ".join(str(cell) for cell in cells) + " |"  # noqa: E731
    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)])


def fuzz_table():
    records = [json.loads(text_of(file)) for file in sorted(glob.glob(os.path.join(RECORDS, "fuzz_*.json")))]
    rows = [[f"`{r['reader']}`", number(r["executions"]), number(r["seconds"]), number(r["covered"]), len(r["finds"]),
             "; ".join((f"{number(part['executions'])} of " if len(r["parts"]) > 1 else "") + source_of(part) for part in r["parts"])]
            for r in records]
    return table(["reader", "executions", "s", "edges covered", "went wrong", "commit, date, machine"], rows) if rows else "No record."


def closings_table():
    rows = []
    for name, what in (("closings", "release"), ("closings_tsan", "thread sanitizer")):
        record = load(name)
        if record:
            case = record["cases"][0]
            rows.append([what, case.get("closings", "-"), *(case.get("while_" + busy, "-") for busy in ("loading", "running",
                         "recording", "saving")), "yes" if record["passed"] else "no", source_of(record)])
    return table(["build", "times", "while loading", "running", "recording", "saving particles", "all ended well",
                  "commit, date, machine"], rows) if rows else "No record."


def dpd_table():
    records = [(name, load(name)) for name in ("dpd_cpu", "dpd_gpu")]
    records = [(name, record) for name, record in records if record]
    if not records:
        return "No record."
    facts = [("steps", lambda r: number(r["steps"])), ("particles", lambda r: number(r["particles"])),
             ("kT, mean", lambda r: f"{r['temperature']:.5f}"),
             ("kT, mean of the first and of the second half", lambda r: pair(r["temperature_halves"], ".5f")),
             ("kT, standard deviation of rows", lambda r: f"{r['spread']:.5f}"),
             ("largest momentum of a particle [m r_c/tau]", lambda r: f"{r['largest_momentum_of_a_particle']:.2e}"),
             ("memory after a tenth of the time and in the last tenth [MiB]", lambda r: pair(r["mebibytes"], ".1f")),
             ("exit code", lambda r: r["exit_code"]), ("commit, date, machine", source_of)]
    return table(["", *(name.removeprefix("dpd_").upper() for name, _ in records)],
                 [[what, *(of(record) for _, record in records)] for what, of in facts])


def pair(values, form):
    return " and ".join(format(value, form) if value is not None else "-" for value in values)


def scenes_table(kind):
    record = load(kind)
    if not record:
        return "No record."
    rows, sources = [], {}
    for scene in with_sources(record):
        sources.setdefault(source_of(scene), []).append(f"`{scene['scene']}`")
        rows.append([f"`{scene['scene']}`", number(scene["steps"]) if scene["steps"] is not None else "-", scene["non_finite"],
                     pair(scene["mebibytes"], ".0f"), scene["exit_code"]])
    text = table(["scene", "steps", "particles that are not finite", "memory [MiB]", "exit code"], rows)
    most = max(sources, key=lambda source: len(sources[source]))
    others = "".join(f"; {', '.join(names)}: {source}" for source, names in sources.items() if source != most)
    return f"{record['seconds']:g} s each; 130 is the code of a run that Ctrl-C ended. {most}{others}\n\n{text}"


def soak_table():
    rows = []
    for record in filter(None, map(load, SOAKS)):
        for case in record["cases"]:
            facts = {key: value for key, value in case.items() if key not in ("case", "seconds", "failed")}
            rows.append([f"`{case['case']}`", case["seconds"],
                         ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in facts.items()),
                         "no" if case["failed"] else "yes", source_of(record)])
    return table(["case", "time", "", "passed", "commit, date, machine"], rows) if rows else "No record."


TABLES = {"fuzz": fuzz_table, "closings": closings_table, "dpd": dpd_table, "scenes on the CPU": lambda: scenes_table("scenes_cpu"),
          "scenes on the GPU": lambda: scenes_table("scenes_gpu"), "soak": soak_table}


def document():
    text = text_of(DOCUMENT)
    for name, make in TABLES.items():
        begin, end = f"<!-- records: {name} -->\n", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            sys.exit(f"{DOCUMENT}: has no place for the table {name}: {begin.strip()} ... {end}")
        text = text[:text.index(begin)] + begin + make() + "\n" + text[text.index(end):]
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["run", "write", "check"])
    parser.add_argument("what", nargs="*", metavar="WHAT")
    parser.add_argument("--program", default=os.path.join(ROOT, "build/cpu-release/app/riffle"))
    parser.add_argument("--tests", default=os.path.join(ROOT, "build/cpu-release/tests"), help="folder of the test programs")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--jobs", type=int, default=1, help="scenes that run side by side")
    parser.add_argument("--only", default="", help="scenes, with commas between; the rows of the others stay as they are")
    parser.add_argument("--folder", help="of the DPD run, to go on with it")
    parser.add_argument("--suffix", default="", help="of the record's name: _tsan for the build with the thread sanitizer")
    for name in ("seconds", "steps", "closings"):
        parser.add_argument("--" + name, type=int)
    options = parser.parse_args()
    if options.do == "write":
        text = document()
        with open(DOCUMENT, "w") as out:
            out.write(text)
        return 0
    if options.do == "check":
        if document() != text_of(DOCUMENT):
            print("docs/reliability.md: a table is not that of its record; tools/reliability.py write makes it so")
            return 1
        return 0
    for what in options.what:
        if what not in RUNS:
            parser.error(f"found {what}; allowed: {', '.join(RUNS)}")
    passed = [RUNS[what](options) for what in options.what]
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
