"""`riffle --version` names what the program was built from: version_test.py PROGRAM BUILD_FOLDER SOURCE_FOLDER"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, BUILD, SOURCE = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
GIT = ['git', '-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main']


def text_of(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def cached(name):
    return re.search(rf'^{name}:\w+=(.*)$', text_of(BUILD, 'CMakeCache.txt'), re.MULTILINE).group(1)


class Version(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        said = subprocess.run([PROGRAM, '--version'], check=True, capture_output=True, text=True).stdout
        cls.first, *rest = said.splitlines()
        cls.lines = dict(re.match(r'(\S+) +(.+)', line).groups() for line in rest)

    def test_the_version_is_that_of_the_project(self):
        version = re.search(r'project\(riffle VERSION (\S+)', text_of(SOURCE, 'CMakeLists.txt')).group(1)
        self.assertEqual(self.first, f'riffle {version}')

    def test_the_commit_is_one_of_the_history(self):
        if not os.path.exists(os.path.join(SOURCE, '.git')):
            self.assertEqual(self.lines['commit'], 'unknown')
            return
        self.assertRegex(self.lines['commit'], '^[0-9a-f]{40}( changed)?$')
        subprocess.run(['git', 'cat-file', '-e', self.lines['commit'].split()[0]], cwd=SOURCE, check=True)

    def test_the_options_are_those_of_the_build(self):
        self.assertTrue(self.lines['build'].startswith(cached('CMAKE_BUILD_TYPE') + ', '), self.lines['build'])
        self.assertTrue(self.lines['instructions'].startswith(cached('RIFFLE_ARCH')), self.lines['instructions'])
        if cached('RIFFLE_CUDA') == 'OFF':
            self.assertEqual(self.lines['CUDA'], 'no: computes on the CPU')

    def test_every_library_has_a_version(self):
        libraries = re.sub(r' \(.*?\)', '', self.lines['libraries']).split(', ')
        self.assertGreater(len(libraries), 8)
        for library in libraries:
            self.assertRegex(library, r'^[A-Za-z0-9 +-]+ \d+\.\d+(\.\d+)?$')

    def test_a_new_commit_compiles_one_file(self):
        if not os.path.exists(os.path.join(BUILD, 'build.ninja')) or not shutil.which('ninja'):
            self.skipTest('the build folder is not one of Ninja')
        deps = subprocess.run(['ninja', '-C', BUILD, '-t', 'deps'], check=True, capture_output=True, text=True).stdout
        objects = [block.split(':')[0] for block in deps.split('\n\n') if 'commit_stamp.h' in block]
        objects = [name for name in objects if 'riffle_test_report' not in name]
        self.assertEqual([os.path.basename(name) for name in objects], ['build_commit.cpp.o'])


class Stamp(unittest.TestCase):
    """cmake/CommitStamp.cmake in a repository of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.checkout = os.path.join(self.folder, 'checkout')
        os.makedirs(os.path.join(self.checkout, 'tests'))

    def git(self, *words):
        return subprocess.run([*GIT, *words], cwd=self.checkout, check=True, capture_output=True, text=True).stdout.strip()

    def write(self, name, text):
        with open(os.path.join(self.checkout, name), 'w', encoding='utf-8') as file:
            file.write(text)

    def stamp(self, source):
        output = os.path.join(self.folder, 'stamp.h')
        script = os.path.join(SOURCE, 'cmake', 'CommitStamp.cmake')
        subprocess.run(['cmake', f'-DSOURCE={source}', f'-DOUTPUT={output}', '-P', script], check=True)
        return re.search('"(.*)"', text_of(output)).group(1)

    def test_names_the_commit_and_whether_files_differ(self):
        self.assertEqual(self.stamp(self.checkout), 'unknown')
        self.git('init')
        self.write('file', '1')
        self.git('add', '.')
        self.git('commit', '-m', 'first')
        commit = self.git('rev-parse', 'HEAD')
        self.assertEqual(self.stamp(self.checkout), commit)
        self.write('tests/slow_tests.csv', 'a record')
        self.assertEqual(self.stamp(self.checkout), commit)
        self.write('file', '2')
        self.assertEqual(self.stamp(self.checkout), commit + ' changed')
        self.assertEqual(self.stamp(os.path.join(self.checkout, 'tests')), 'unknown')  # sources in another project's checkout


if __name__ == '__main__':
    unittest.main(verbosity=2)
