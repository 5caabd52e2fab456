#!/usr/bin/env python3
"""Checks the libraries of the installed programs against packaging/libraries.csv, and puts them into packages.

    packaging/libraries.py check BUILD_FOLDER
        Fails if the programs load or contain a library that is not on the list, if a licence on it does not go with a
        package of an MIT-licensed program, or if a symbol is newer than packages may need.
    packaging/libraries.py collect deb|tarball BUILD_FOLDER PREFIX
        The same of the programs in PREFIX/bin; then writes the licences of what the package contains, and copies the libraries
        that a tarball has to lib/riffle.

The list has a row for each library: its name (of a shared one its soname, of a static one its file), where it is, the
licence that it is used under, and the Debian package that has the text of the licence; "cuda-toolkit" is NVIDIA's toolkit,
wherever it is installed. "where" is
    tarball   a shared library: in the tarball; the .deb depends on its package
    system    a shared library that every system has; packages do not contain it
    inside    compiled into the programs
    inside of CUDA builds
"""
import argparse
import csv
import glob
import os
import re
import shutil
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["riffle", "riffle-import"]
PLACES = ["tarball", "system", "inside", "inside of CUDA builds"]
FREE = {"MIT", "MIT-open-group", "X11", "BSD-2-Clause", "BSD-3-Clause", "Zlib", "libpng-2.0", "Apache-2.0", "ISC", "BSL-1.0",
        "Bitstream-Vera", "LicenseRef-NVIDIA-CUDA-EULA"}
# The newest that a program or a library in a package may need: what Ubuntu 22.04 has. Debian 12 has GLIBC_2.36.
NEWEST = {"GLIBC": (2, 35), "GLIBCXX": (3, 4, 30)}


def read_list(file):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def licence_fault(row):
    """Why a library must not be used under this licence from this place; "": it may."""
    licence, shared = row["licence"], row["where"] in ("tarball", "system")
    if licence in FREE:
        return ""
    name, _, exception = licence.partition(" WITH ")
    if re.match(r"A?GPL-", name):
        return "" if exception == "GCC-exception-3.1" else "GPL without an exception for programs that use it"
    if re.match(r"LGPL-", name):
        return "" if shared else "LGPL allows other licences only for programs that load it as a shared library"
    return "not a licence that is known to go with MIT"


def list_faults(rows):
    faults = []
    for row in rows:
        if row["where"] not in PLACES:
            faults.append(f"{row['name']}: where: found '{row['where']}'; allowed: {', '.join(PLACES)}")
        elif fault := licence_fault(row):
            faults.append(f"{row['name']}: {row['licence']}: {fault}")
    names = [row["name"] for row in rows]
    return faults + [f"{name}: is on the list twice" for name in sorted({name for name in names if names.count(name) > 1})]


def use_faults(rows, shared, static):
    """What the programs load and contain, against the list. @param shared, static  names"""
    placed = {row["name"]: row["where"] for row in rows}
    faults = [f"{name}: is loaded by the programs and not on the list as a shared library"
              for name in sorted(shared) if placed.get(name) not in ("tarball", "system")]
    faults += [f"{name}: is linked into the programs and not on the list as 'inside'"
               for name in sorted(static) if not placed.get(name, "").startswith("inside")]
    return faults + [f"{name}: is on the list for the tarball, and no program loads it"
                     for name, where in sorted(placed.items()) if where == "tarball" and name not in shared]


def symbol_faults(file, versions):
    """@param versions  what readelf -V says of the file"""
    needed = [line for line in versions.splitlines() if "Rev:" not in line]  # such a line is a version that it defines
    faults = []
    for family, digits in sorted(set(re.findall(r"Name: (GLIBC|GLIBCXX)_([0-9.]+)", "\n".join(needed)))):
        if tuple(map(int, digits.split("."))) > NEWEST[family]:
            newest = ".".join(map(str, NEWEST[family]))
            faults.append(f"{os.path.basename(file)}: needs {family}_{digits}; allowed: up to {family}_{newest}")
    return faults


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr or done.stdout}")
    return done.stdout


def loaded_by(programs):
    """{soname: path} of the shared libraries that the loader finds for them."""
    found = {}
    for program in programs:
        for line in output_of("ldd", program).splitlines():
            if match := re.match(r"\s*(\S+) => (not found|/\S+)", line):
                if match.group(2) == "not found":
                    sys.exit(f"{program}: {match.group(1)} was not found on this machine")
                found[match.group(1)] = match.group(2)
            elif match := re.match(r"\s*(/\S+) \(", line):
                found[os.path.basename(match.group(1))] = match.group(1)
    return found


def linked_into(build):
    """{name: path} of the static libraries from outside of the build folder in the programs' link commands. Those of the C
    library that are empty since glibc 2.34, such as libpthread.a, are left out. The path is "" if the linker searches for it."""
    found = {}
    for program in PROGRAMS:
        words = output_of("ninja", "-C", build, "-t", "commands", "-s", os.path.join("app", program)).split()
        for word in words:
            if re.match(r"-lcuda\w+$", word):
                found.setdefault(f"lib{word[2:]}.a", "")
            elif word.startswith("/") and word.endswith(".a") and output_of("ar", "t", word):
                found[os.path.basename(word)] = word
    return found


def all_faults(rows, build, programs):
    shared = loaded_by(programs)
    faults = list_faults(rows) + use_faults(rows, shared, linked_into(build))
    shipped = [shared[row["name"]] for row in rows if row["where"] == "tarball" and row["name"] in shared]
    for file in [*programs, *shipped]:
        faults += symbol_faults(file, output_of("readelf", "-V", "-W", file))
    return faults, shared


def refuse(faults):
    print("\n".join(faults), file=sys.stderr)
    sys.exit(f"packaging/libraries.csv does not allow packages of this build: {len(faults)} fault(s)")


def cuda_licence(runtime):
    """The licence of the toolkit that this libcudart_static.a belongs to: as NVIDIA's installer, pip and Debian leave it."""
    folder = os.path.dirname(os.path.realpath(runtime))
    while folder != os.path.dirname(folder):
        for pattern in ("EULA.txt", "dist-info/nvidia_cuda_runtime*/licenses/License.txt",
                        "share/doc/nvidia-cuda-toolkit/copyright"):
            if files := glob.glob(os.path.join(folder, pattern)):
                return files[0]
        folder = os.path.dirname(folder)
    sys.exit(f"EULA.txt, the licence of the CUDA Toolkit, was not found in a folder above {runtime}")


def write_licences(rows, static, folder):
    os.makedirs(folder, exist_ok=True)
    for package in sorted({row["package"] for row in rows}):
        text = (cuda_licence(static["libcudart_static.a"]) if package == "cuda-toolkit"
                else os.path.join("/usr/share/doc", package, "copyright"))
        shutil.copyfile(text, os.path.join(folder, package + ".txt"))
    with open(os.path.join(folder, "libraries.csv"), "w", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def collect(kind, rows, shared, build, prefix):
    static = linked_into(build)
    contained = [row for row in rows if row["where"] == "inside" or row["name"] in static]
    if kind == "tarball":
        libraries = [row for row in rows if row["where"] == "tarball"]
        contained += libraries
        folder = os.path.join(prefix, "lib", "riffle")
        os.makedirs(folder)
        for row in libraries:
            file = os.path.join(folder, row["name"])
            shutil.copyfile(os.path.realpath(shared[row["name"]]), file)
            os.chmod(file, 0o644)
            if "RUNPATH" in output_of("readelf", "-d", file):
                sys.exit(f"{file} has a RUNPATH, with which the loader would not find its libraries beside it")
    documents = os.path.join(prefix, "share", "doc", "riffle")
    write_licences(contained, static, os.path.join(documents, "licences"))
    if kind == "deb":
        with open(os.path.join(documents, "LICENSE"), encoding="utf-8") as text:
            licence = text.read()
        with open(os.path.join(documents, "copyright"), "w", encoding="utf-8") as text:
            text.write(licence + "\nThe programs contain libraries; licences/libraries.csv lists them, and licences/ has their "
                       "licences.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check").add_argument("build")
    collecting = commands.add_parser("collect")
    collecting.add_argument("kind", choices=["deb", "tarball"])
    collecting.add_argument("build")
    collecting.add_argument("prefix")
    options = parser.parse_args()
    rows = read_list(os.path.join(FOLDER, "libraries.csv"))
    folder = os.path.join(options.build, "app") if options.command == "check" else os.path.join(options.prefix, "bin")
    faults, shared = all_faults(rows, options.build, [os.path.join(folder, program) for program in PROGRAMS])
    if faults:
        refuse(faults)
    if options.command == "collect":
        collect(options.kind, rows, shared, options.build, options.prefix)


if __name__ == "__main__":
    main()
