"""packaging/libraries.py puts libraries and licences where a package needs them: collect_test.py BUILD_FOLDER"""

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)
TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'packaging', 'libraries.py')


class Collect(unittest.TestCase):
    def collect(self, kind):
        """@return the folder with what was installed before, and what was collected"""
        scratch = tempfile.TemporaryDirectory(prefix='riffle-collect-')
        self.addCleanup(scratch.cleanup)
        documents = os.path.join(scratch.name, 'share', 'doc', 'riffle')
        os.makedirs(documents)
        with open(os.path.join(documents, 'LICENSE'), 'w', encoding='utf-8') as text:
            text.write('the licence of riffle\n')
        os.mkdir(os.path.join(scratch.name, 'bin'))
        for program in ('riffle', 'riffle-import'):
            shutil.copy(os.path.join(BUILD, 'app', program), os.path.join(scratch.name, 'bin'))
        subprocess.run([sys.executable, TOOL, 'collect', kind, BUILD, scratch.name], check=True)
        return scratch.name

    def listed(self, folder):
        licences = os.path.join(folder, 'share', 'doc', 'riffle', 'licences')
        with open(os.path.join(licences, 'libraries.csv'), newline='', encoding='utf-8') as text:
            rows = list(csv.DictReader(text))
        for row in rows:
            text = os.path.join(licences, row['package'] + '.txt')
            self.assertGreater(os.path.getsize(text), 200, text)
        return rows

    def test_a_tarball_has_its_libraries_and_their_licences(self):
        folder = self.collect('tarball')
        rows = self.listed(folder)
        shared = {row['name'] for row in rows if row['where'] == 'tarball'}
        self.assertIn('libtbb.so.12', shared)
        libraries = os.path.join(folder, 'lib', 'riffle')
        self.assertEqual(set(os.listdir(libraries)), shared)
        self.assertIn('inside', {row['where'] for row in rows})
        self.assertNotIn('system', {row['where'] for row in rows})
        # The loader takes each of them from there, those that other libraries need, too.
        for program in ('riffle', 'riffle-import'):
            said = subprocess.run(['ldd', os.path.join(folder, 'bin', program)], check=True, capture_output=True, text=True)
            found = dict(re.findall(r'(\S+) => (\S+)', said.stdout))
            for name in shared & set(found):
                self.assertEqual(os.path.realpath(found[name]), os.path.join(os.path.realpath(libraries), name))

    def test_a_deb_has_the_licences_of_what_is_inside_and_no_libraries(self):
        folder = self.collect('deb')
        self.assertEqual({row['where'] for row in self.listed(folder)} - {'inside of CUDA builds'}, {'inside'})
        self.assertFalse(os.path.exists(os.path.join(folder, 'lib')))
        with open(os.path.join(folder, 'share', 'doc', 'riffle', 'copyright'), encoding='utf-8') as text:
            self.assertTrue(text.read().startswith('the licence of riffle\n'))


if __name__ == '__main__':
    unittest.main(verbosity=2)
