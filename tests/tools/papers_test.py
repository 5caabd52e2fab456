#!/usr/bin/env python3
"""docs/papers.md names files, names in them, commands, keys and figures: all of them must be there.

RIFFLE_PROGRAM is the program that commands are tried with; without it they are only compared with the sources."""
import glob
import json
import os
import re
import shlex
import subprocess
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = "docs/papers.md"
PROGRAM = os.environ.get("RIFFLE_PROGRAM", "")
# Where figures of ours, and those of the papers' tables, come from; the last one for sizes.
FIGURES = ("docs/benchmarks.md", "docs/validation.md", "bench/published/gross2019.csv", "bench/published/published_papers.cpp",
           "neighbors/fenns/tile_traversal.cuh")
# What papers say in their text.
OF_PAPERS = {
    "RTNN, section 6.2": ("2.2", "44.0", "3.5", "65.0"),
    "RTNN, section 6.2, figure 12": ("88.5", "63.5"),
    "RTNN, section 6.3, figure 13": ("5.9", "2.9", "1.8", "4.7", "1.1", "154.4", "18.8", "18.6"),
    "RTNN, appendix B": ("0.996",),
    "Thrust article, discussion": ("6.5",),
    "bucket sort, section 4.2": ("1.000005",),
    "FENNS, section 4.2": ("3.6",),
    "FENNS, table 3": ("0.00", "36.09"),
}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def spans(text):
    """The words in backticks, and the lines of blocks of commands."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)) + lines


def commands(text):
    return [span for span in spans(text) if span.startswith("riffle ")]


def paths(text):
    return [span for span in spans(text) if re.fullmatch(r"[\w.-]+(/[\w.-]+)+", span)]


def missing_paths(text):
    return [path for path in paths(text) if not os.path.exists(os.path.join(ROOT, path))]


def named(text):
    """(path, name) of each name after a path: `a/b.h`: `Name`, `other`."""
    return [(path, name) for path, names in re.findall(r"`([\w.-]+(?:/[\w.-]+)+)`: (`[^`\n]+`(?:, `[^`\n]+`)*)", text)
            for name in re.findall(r"`([^`]+)`", names)]


def missing_names(text):
    return [f"{path}: {name}" for path, name in named(text)
            if path not in missing_paths(text) and not re.search(r"\b%s\b" % re.escape(name), read(path))]


def anchors(page):
    found = {}
    for heading in re.findall(r"^#+ (.*)$", read(page), re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return {slug if k == 0 else f"{slug}-{k}" for slug, last in found.items() for k in range(last + 1)}


def broken_links(text):
    broken = []
    for target in re.findall(r"\]\(([^)]+)\)", text):
        file, _, anchor = target.partition("#")
        page = os.path.normpath(os.path.join(os.path.dirname(PAGE), file)) if file else PAGE
        if not os.path.exists(os.path.join(ROOT, page)) or (anchor and anchor not in anchors(page)):
            broken.append(target)
    return broken


def fits(value, form):
    """Whether a value on the command line may be of this form of the schema, as far as words and keys go."""
    if "anyOf" in form:
        return any(fits(value, one) for one in form["anyOf"])
    if "enum" in form:
        return value in [str(word).lower() if isinstance(word, bool) else str(word) for word in form["enum"]]
    if form.get("type") in ("number", "integer"):
        return re.fullmatch(r"-?[\d.]+(e-?\d+)?", value) is not None
    if form.get("type") == "boolean":
        return value in ("true", "false")
    return form.get("type") != "array" or value.startswith("[")


def refused_keys(words):
    refused = []
    schema = json.loads(read("scenes/library/scene.schema.json"))
    for k, word in enumerate(words):
        if word != "--set":
            continue
        key, _, value = words[k + 1].partition("=")
        forms = [schema]
        for part in re.findall(r"[\w-]+|\[\d+\]", key):
            inside = [one for form in forms for one in form.get("anyOf", [form])]
            forms = [form["items"] if part.startswith("[") else form["properties"][part] for form in inside
                     if (part.startswith("[") and "items" in form) or part in form.get("properties", {})]
        if not any(fits(value, form) for form in forms):
            refused.append(words[k + 1])
    return refused


def refused(command):
    """What of a command is not there, as far as sources tell."""
    words = shlex.split(command)[1:]
    scenes = {os.path.basename(file)[:-5] for file in glob.glob(os.path.join(ROOT, "scenes/library/*.yaml"))}
    wrong = [f"--set {key}" for key in refused_keys(words)]
    positional = []
    for k, word in enumerate(words):
        flag = words[k - 1] in ("--distances", "--no-picture", "--quiet")
        if not word.startswith("--") and (k == 0 or flag or not words[k - 1].startswith("--")):
            positional.append(word)
    two = " ".join(positional[:2])
    if two == "bench neighbors":
        known = set(re.search(r"kScenarios = \{(.*?)\}", read("bench/neighbor_options.cpp")).group(1).replace('"', "").split(", "))
        wrong += [word for word in positional[2:] if word not in known]
    elif positional[0] == "validate":
        known = set(re.findall(r'\{"(\w+)",', "".join(read(file) for file in glob.glob("validation/**/*.cpp", root_dir=ROOT,
                                                                                      recursive=True))))
        wrong += [word for word in positional[1:] if word not in known]
    elif positional[0] not in ("doctor", "list") and two not in ("bench rtnn", "bench rng"):
        wrong += [word for word in positional[-1:] if word not in scenes and word != "SCENE"]
    return wrong


NUMBER = r"(?<![\w.,])(?:\d+\.\d+|\d{1,3}(?:,\d{3})+)(?![\w.,]*\d)"


def figures(text):
    """Numbers with a decimal point or thousands that are no part of a command, a link or a version."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"`[^`\n]+`|\]\([^)]+\)", "", text)
    text = re.sub(r"(DOI|driver|CUDA|OptiX) [\d./a-z]+|[Ss]ections? [\d.]+", "", text)
    return set(re.findall(NUMBER, text))


def without_source(text):
    known = set().union(*OF_PAPERS.values())
    for file in FIGURES:
        separate = read(file).replace(",", " ") if file.endswith(".csv") else read(file)
        known |= set(re.findall(r"(?<![\w.])(?:\d+\.\d+|\d{1,3}(?:,\d{3})+)", separate))
    return sorted(figures(text) - known)


class Papers(unittest.TestCase):
    def test_it_says_something_to_check(self):
        page = read(PAGE)
        self.assertGreater(len(set(paths(page))), 50)
        self.assertGreater(len(named(page)), 120)
        self.assertGreater(len(commands(page)), 50)
        self.assertGreater(len(figures(page)), 300)

    def test_files_and_names_are_there(self):
        self.assertEqual(missing_paths(read(PAGE)), [])
        self.assertEqual(missing_names(read(PAGE)), [])

    def test_links_lead_somewhere(self):
        self.assertEqual(broken_links(read(PAGE)), [])

    def test_scenes_cases_scenarios_and_keys_of_commands_are_there(self):
        for command in commands(read(PAGE)):
            self.assertEqual(refused(command), [], command)

    def test_figures_are_those_of_their_sources(self):
        self.assertEqual(without_source(read(PAGE)), [])

    @unittest.skipUnless(PROGRAM, "RIFFLE_PROGRAM is not set")
    def test_the_program_understands_the_commands(self):
        # An option that no command has is refused last: if it is the only one refused, the others are right.
        for command in commands(read(PAGE)):
            words = shlex.split(command)[1:] + ["--no-such-option"]
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, command)
            self.assertRegex(done.stderr, r"\Ariffle: '--no-such-option' is no option of `riffle [a-z -]+`\n\Z", command)

    def test_mistakes_are_found(self):
        self.assertEqual(missing_paths("`sim/dpd/dpd.h` and `sim/dpd/nothing.h`"), ["sim/dpd/nothing.h"])
        self.assertEqual(missing_names("`sim/dpd/dpd.h`: `DpdSolver`, `DpdNothing`"), ["sim/dpd/dpd.h: DpdNothing"])
        self.assertEqual(broken_links("[a](benchmarks.md#pictures) [b](benchmarks.md#nothing) [c](nothing.md)"),
                         ["benchmarks.md#nothing", "nothing.md"])
        self.assertEqual(commands("`riffle list`\n```sh\nriffle run a \\\n  --steps 1\n```\n"), ["riffle list", "riffle run a    --steps 1"])
        for command, wrong in (("riffle run nothing", ["nothing"]), ("riffle bench neighbors fenns4", ["fenns4"]),
                               ("riffle validate dpd_equilibrium nothing", ["nothing"]),
                               ("riffle run dpd_box --set solver.nothing=1", ["--set solver.nothing=1"]),
                               ("riffle run dpd_box --set solver.integrator=euler", ["--set solver.integrator=euler"]),
                               ("riffle run dpd_box --set bodies[0].box.max=[1,1,1] --set time.step=x", ["--set time.step=x"])):
            self.assertEqual(refused(command), wrong)
        self.assertEqual(without_source("0.693147 in `0.1234567`, 2.603 (section 9.99), 4,000,000 and 7,654,321"),
                         ["0.693147", "7,654,321"])


if __name__ == "__main__":
    unittest.main()
