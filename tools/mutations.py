#!/usr/bin/env python3
"""Draws mutations of the sources by a seed and runs the tests against each: a mutation that no test notices asks for one.

    tools/mutations.py draw SEED [--count 60] [--spare 30] [--first 1] [--build build/cpu-release] LIST.json
        Draws count + spare mutations of sim/, neighbors/, render/ and app/ as the CPU's build compiles them: first a place, each
        with the same probability, then what is done to it. The first has the number of --first.
    tools/mutations.py write LIST.json TREE
        Writes them into the sources of TREE, a copy of this checkout with a configured build/cpu-release, each as a choice at run
        time (tools/mutant.h). Those that do not compile are dropped, and the next in the order drawn take their places.
    tools/mutations.py reach LIST.json TREE
        After TREE was built: runs all tests of `make test`'s release build with no mutation switched on, which must pass, and
        notes which mutations each executes.
    tools/mutations.py run LIST.json TREE [--jobs 2] [--only N,N...] [--partial]
        Runs, for each of the first `count` mutations, the tests that execute it until one fails. --partial: without the
        tests of the window, and says nothing about those that survive.
    tools/mutations.py table LIST.json
        Prints the table of docs/mutations.md.

LIST.json keeps everything, so an interrupted run goes on where it stopped. A test counts as failed if it fails twice, or takes
several times as long as without a mutation. Needs clang and libclang for draw and write.
"""
import argparse
import collections
import concurrent.futures
import copy
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import mutation_places as places

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDERS = ("sim", "neighbors", "render", "app")
MOST = 4095  # as tools/mutant.h
LEFT_OUT = {"gpu", "long"}
HEAD = b'#include "tools/mutant.h"\n#line 1\n'  # of a mutated file


def load(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def save(path, data):
    with open(path + ".part", "w", encoding="utf-8") as text:
        json.dump(data, text, indent=1)
    os.replace(path + ".part", path)


def draw(args):
    found = places.Finder(ROOT, FOLDERS).find(os.path.join(ROOT, args.build))
    ordered = sorted(found)
    chance = random.Random(args.seed)
    number_of = collections.Counter(path.split("/")[0] for path, *_ in ordered)
    mutations = []
    for number, place in enumerate(chance.sample(ordered, args.count + args.spare), args.first):
        path, begin, end, kind = place
        row = found[place]
        done, text = chance.choice(row["options"])
        mutations.append({"number": number, "file": path, "line": row["line"], "begin": begin, "end": end, "kind": kind, "done": done,
                          "original": row["original"], "mutated": text, "constexpr": row["constexpr"]})
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    save(args.list, {"seed": args.seed, "commit": commit, "count": args.count, "places": len(ordered),
                     "mutations_possible": sum(len(found[p]["options"]) for p in ordered),
                     "places_in": {f: number_of[f] for f in FOLDERS}, "mutations": mutations})
    print(f"{len(ordered)} places: {dict(number_of)}")


def render(text, mutations, begin, end):
    """The text from begin to end with the mutations in it, which are ordered so that an outer one comes before those inside."""
    result, at = b"", begin
    while mutations:
        outer = mutations[0]
        inside = [m for m in mutations[1:] if m["end"] <= outer["end"]]
        mutations = mutations[1 + len(inside):]
        original = render(text, inside, outer["begin"], outer["end"])
        result += text[at:outer["begin"]]
        result += places.schema(outer["number"], outer["kind"], original.decode(), outer["mutated"], outer["constexpr"]).encode()
        at = outer["end"]
    return result + text[at:end]


KIND_ORDER = {"statement": 0, "condition": 1}


def write_sources(data, tree):
    of_file = collections.defaultdict(list)
    for mutation in data["mutations"]:
        of_file[mutation["file"]]
        if not mutation.get("dropped"):
            of_file[mutation["file"]].append(mutation)
    for path, mutations in of_file.items():
        with open(os.path.join(ROOT, path), "rb") as file:
            text = file.read()
        mutations.sort(key=lambda m: (m["begin"], -m["end"], KIND_ORDER.get(m["kind"], 2), m["number"]))
        if mutations:
            text = HEAD + render(text, mutations, 0, len(text))
        target = os.path.join(tree, path)
        with open(target, "rb") as file:
            if file.read() == text:
                continue
        with open(target, "wb") as file:
            file.write(text)


def write(args):
    data = load(args.list)
    tree = os.path.abspath(args.tree)
    build = os.path.join(tree, "build/cpu-release")
    while True:
        write_sources(data, tree)
        errors = set()
        index = places.import_clang().Index.create()
        for unit in load(os.path.join(build, "compile_commands.json")):
            path = os.path.relpath(unit["file"], tree)
            path = os.path.relpath(unit["file"], build) if path.startswith("build") else path
            if path.split(os.sep)[0] not in FOLDERS:
                continue
            parsed = index.parse(unit["file"], places.arguments(unit["command"], unit["file"]))
            for diagnostic in parsed.diagnostics:
                if diagnostic.severity >= 3 and "narrow" not in diagnostic.spelling:
                    place = diagnostic.location
                    errors.add((os.path.relpath(place.file.name, tree), place.line - HEAD.count(b"\n"), diagnostic.spelling))
        dropped = 0
        for path, line, message in sorted(errors):
            hit = [m for m in data["mutations"] if m["file"] == path and not m.get("dropped")
                   and m["line"] <= line <= m["line"] + m["original"].count("\n") + m["mutated"].count("\n")]
            if hit:
                hit[0]["dropped"] = message
                dropped += 1
            print(f"{path}:{line}: {message} -> {hit[0]['number'] if hit else 'no mutation'}")
        save(args.list, data)
        if not dropped:
            break
    print(f"{sum('dropped' not in m for m in data['mutations'])} of {len(data['mutations'])} mutations compile")


def counted(data):
    """The first `count` mutations that compile."""
    return [m for m in data["mutations"] if not m.get("dropped")][:data["count"]]


class Test:
    def __init__(self, row):
        self.name, self.command = row["name"], row["command"]
        properties = {p["name"]: p["value"] for p in row.get("properties", [])}
        self.labels = set(properties.get("LABELS", []))
        self.folder = properties.get("WORKING_DIRECTORY", ROOT)
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        self.limit = float(properties.get("TIMEOUT", 600))
        self.room = os.path.basename(self.command[0])
        self.skips = set(properties.get("SKIP_RETURN_CODE", []))


def tests_of(build):
    """As ctest runs them, but each case of the window's tests alone, so that it is known which mutations it executes."""
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True).stdout
    result, expanded = [], False
    for row in json.loads(listing)["tests"]:
        if "command" not in row:
            continue
        test = Test(row)
        if test.labels & LEFT_OUT or "python" in test.command[0] or "cmake" in os.path.basename(test.command[0]):
            continue
        if test.room != "test_interface":
            result.append(test)
            continue
        if expanded:
            continue  # another share of the same cases
        expanded = True
        test.environment = {}  # without the share
        lines = subprocess.run([test.command[0], "--gtest_list_tests", "--gtest_filter=-Long*"], capture_output=True,
                               text=True, check=True).stdout
        suite = ""
        for line in lines.splitlines():
            word = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = word if word.endswith(".") else ""
            elif suite:
                case = copy.copy(test)
                case.name = suite + word
                case.command = [test.command[0], "--gtest_filter=" + case.name]
                result.append(case)
    return result


def run_test(test, limit, environment):
    """(passed, seconds, what happened)"""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(test.command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   env={**os.environ, **test.environment, **environment}, start_new_session=True)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it started and left
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    seconds = time.monotonic() - begin
    if code is None:
        return False, seconds, f"not finished after {limit:.0f} s"
    if code in test.skips or re.search(r"\[  SKIPPED \] \d+ test", text) and code == 0:
        return True, seconds, "skipped"
    return code == 0 and "Running 0 tests" not in text, seconds, text[-4000:]


def reach(args):
    data = load(args.list)
    tests = tests_of(os.path.join(os.path.abspath(args.tree), "build/cpu-release"))
    if args.only:
        tests = [t for t in tests if re.search(args.only, t.name)]
    os.environ["RIFFLE_REQUIRE_DISPLAY_TESTS"] = "1"
    known = data.setdefault("tests", {})
    tests = [t for t in tests if t.name not in known or args.only]
    lock = threading.Lock()

    def one(test):
        with tempfile.NamedTemporaryFile() as reached:
            reached.write(b"\0" * (MOST + 1))
            reached.flush()
            passed, seconds, text = run_test(test, test.limit, {"RIFFLE_MUTANT_REACHED": reached.name})
            reached.seek(0)
            numbers = [n for n, byte in enumerate(reached.read()) if byte]
        with lock:
            known[test.name] = {"passed": passed, "seconds": round(seconds, 2), "reached": numbers}
            if not passed:
                print(f"FAILED {test.name}\n{text}", flush=True)
            if len(known) % 100 == 0:
                save(args.list, data)

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, tests))
    save(args.list, data)
    print(f"{len(known)} tests, {sum(not t['passed'] for t in known.values())} failed, {time.monotonic() - begin:.0f} s")


def run(args):
    data = load(args.list)
    os.environ["RIFFLE_REQUIRE_DISPLAY_TESTS"] = "1"
    tests = {t.name: t for t in tests_of(os.path.join(os.path.abspath(args.tree), "build/cpu-release"))}
    lock = threading.Lock()

    def one(mutation):
        if "noticed" in mutation or "survived" in mutation:
            return
        number, folder = mutation["number"], mutation["file"].split("/")[0]
        reaching = [(name, row) for name, row in data["tests"].items()
                    if number in row["reached"] and row["passed"] and name in tests
                    and not (args.partial and tests[name].room == "test_interface")]
        own = {"sim": ("test_sim",), "neighbors": ("test_neighbors",), "render": ("test_render",),
               "app": ("test_app", "test_commands", "test_desktop", "test_recording")}[folder]
        reaching.sort(key=lambda pair: (pair[1]["seconds"] > 2, tests[pair[0]].room not in own, pair[1]["seconds"]))
        begin, tried, result = time.monotonic(), 0, {}
        for name, row in reaching:
            tried += 1
            limit = 20 + 8 * row["seconds"]
            passed, _, text = run_test(tests[name], limit, {"RIFFLE_MUTANT": str(number)})
            if not passed:  # again: a busy machine also fails tests
                passed, _, text = run_test(tests[name], limit, {"RIFFLE_MUTANT": str(number)})
                if not passed and run_test(tests[name], limit, {"RIFFLE_MUTANT": "0"})[0]:
                    result = {"noticed": name, "how": text[-1500:]}
                    break
        else:
            if args.partial:
                return
            result = {"survived": True}
        with lock:
            mutation.update(result, executed_by=len(reaching), tried=tried, seconds=round(time.monotonic() - begin))
            save(args.list, data)
            print(f"{number:3} {mutation['file']}:{mutation['line']} {mutation['kind']} {mutation['done']}: "
                  f"{result.get('noticed', 'SURVIVED')} ({tried} of {len(reaching)} tests, {mutation['seconds']} s)", flush=True)

    chosen = [m for m in counted(data) if (args.only is None or str(m["number"]) in args.only.split(","))]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, chosen))


def table(args):
    data = load(args.list)
    print("| | place | original | mutated | noticed by |\n|---|---|---|---|---|")

    def short(text, most=60):
        text = re.sub(r"\s+", " ", text).replace("|", "\\|")
        return f"`{text[:most - 3]}...`" if len(text) > most else f"`{text}`" if text else ""

    for m in counted(data):
        by = m.get("noticed", "").split("  #")[0] or ("**survived**" if m.get("survived") else "not run")
        print(f"| {m['number']} | {m['file']}:{m['line']} | {short(m['original'])} | {m['done'].replace('|', chr(92) + '|')} | {by} |")
    dropped = [m for m in data["mutations"] if m.get("dropped")]
    print("\nDropped, because they do not compile: " + ", ".join(f"{m['number']} ({m['file']}:{m['line']}, {m['done']})" for m in dropped))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("draw")
    command.add_argument("seed", type=int)
    command.add_argument("list")
    command.add_argument("--count", type=int, default=60)
    command.add_argument("--spare", type=int, default=30)
    command.add_argument("--first", type=int, default=1)
    command.add_argument("--build", default="build/cpu-release")
    command.set_defaults(function=draw)
    for name, function in (("write", write), ("reach", reach), ("run", run)):
        command = commands.add_parser(name)
        command.add_argument("list")
        command.add_argument("tree")
        command.add_argument("--jobs", type=int, default=2)
        command.add_argument("--only")
        command.add_argument("--partial", action="store_true")
        command.set_defaults(function=function)
    command = commands.add_parser("table")
    command.add_argument("list")
    command.set_defaults(function=table)
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    main()
