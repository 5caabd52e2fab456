"""packaging/libraries.py refuses what must not be in a package."""

import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
sys.path.insert(0, os.path.join(SOURCE, 'packaging'))
import libraries  # noqa: E402


def row(name, where, licence):
    return {'name': name, 'where': where, 'licence': licence, 'package': 'a'}


class Licences(unittest.TestCase):
    def fault(self, where, licence):
        return libraries.licence_fault(row('liba.so.1', where, licence))

    def test_gpl_without_an_exception_is_refused(self):
        for licence in ('GPL-2.0-only', 'GPL-3.0-or-later', 'AGPL-3.0-only', 'GPL-3.0-or-later WITH Bison-exception-2.2'):
            for where in libraries.PLACES:
                self.assertIn('GPL without an exception', self.fault(where, licence))

    def test_the_runtime_exception_of_gcc_is_allowed(self):
        self.assertEqual(self.fault('system', 'GPL-3.0-or-later WITH GCC-exception-3.1'), '')

    def test_lgpl_is_allowed_for_shared_libraries_only(self):
        for where in libraries.PLACES:
            refused = self.fault(where, 'LGPL-2.1-or-later') != ''
            self.assertEqual(refused, where.startswith('inside'), where)

    def test_a_licence_that_is_not_known_is_refused(self):
        for licence in ('', 'Proprietary', 'MIT OR GPL-2.0-only', 'CC-BY-NC-4.0'):
            self.assertIn('not a licence that is known', self.fault('tarball', licence))

    def test_each_free_licence_is_allowed_everywhere(self):
        for licence in libraries.FREE:
            for where in libraries.PLACES:
                self.assertEqual(self.fault(where, licence), '')


class Uses(unittest.TestCase):
    ROWS = [row('liba.so.1', 'tarball', 'MIT'), row('libc.so.6', 'system', 'LGPL-2.1-or-later'), row('libb.a', 'inside', 'MIT'),
            row('libd.a', 'inside of CUDA builds', 'MIT')]

    def test_what_is_on_the_list_is_allowed(self):
        self.assertEqual(libraries.use_faults(self.ROWS, {'liba.so.1', 'libc.so.6'}, {'libb.a', 'libd.a'}), [])
        self.assertEqual(libraries.list_faults(self.ROWS), [])

    def test_what_is_not_on_it_is_refused(self):
        faults = libraries.use_faults(self.ROWS, {'liba.so.1', 'libnew.so.2'}, {'libnew.a'})
        self.assertEqual(len(faults), 2)
        self.assertIn('libnew.so.2: is loaded by the programs and not on the list', faults[0])
        self.assertIn('libnew.a: is linked into the programs and not on the list', faults[1])

    def test_a_row_for_a_shared_library_does_not_allow_a_static_one(self):
        self.assertEqual(len(libraries.use_faults(self.ROWS, {'liba.so.1', 'libb.a'}, {'libc.so.6'})), 2)

    def test_a_row_that_nothing_loads_is_refused(self):
        self.assertEqual(libraries.use_faults(self.ROWS, set(), set()),
                         ['liba.so.1: is on the list for the tarball, and no program loads it'])

    def test_mistakes_of_the_list_are_told(self):
        faults = libraries.list_faults([row('a', 'nowhere', 'MIT'), row('b', 'inside', 'MIT'), row('b', 'inside', 'MIT')])
        self.assertEqual(len(faults), 2)
        self.assertIn("a: where: found 'nowhere'; allowed: tarball, system", faults[0])
        self.assertEqual(faults[1], 'b: is on the list twice')


class CudaLicence(unittest.TestCase):
    def test_is_found_as_each_installer_leaves_it(self):
        for text in ('EULA.txt', 'dist-info/nvidia_cuda_runtime-13.0.dist-info/licenses/License.txt',
                     'share/doc/nvidia-cuda-toolkit/copyright'):
            with tempfile.TemporaryDirectory() as root:
                runtime = os.path.join(root, 'targets', 'lib', 'libcudart_static.a')
                for file in (runtime, os.path.join(root, text)):
                    os.makedirs(os.path.dirname(file), exist_ok=True)
                    open(file, 'w').close()
                self.assertEqual(libraries.cuda_licence(runtime), os.path.join(os.path.realpath(root), text))

    def test_a_missing_one_is_an_error(self):
        with tempfile.TemporaryDirectory() as root, self.assertRaisesRegex(SystemExit, 'EULA.txt, the licence of the CUDA'):
            libraries.cuda_licence(os.path.join(root, 'libcudart_static.a'))


class Symbols(unittest.TestCase):
    def test_versions_up_to_the_newest_are_allowed(self):
        said = '0x0010:   Name: GLIBC_2.35  Flags: none  Version: 15\n  0x0020:   Name: GLIBCXX_3.4.30  Flags: none  Version: 9\n'
        self.assertEqual(libraries.symbol_faults('/a/riffle', said), [])

    def test_newer_ones_are_refused(self):
        said = '0x0010:   Name: GLIBC_2.36  Flags: none  Version: 15\n  0x0020:   Name: GLIBCXX_3.4.31  Flags: none  Version: 9\n'
        self.assertEqual(libraries.symbol_faults('/a/riffle', said),
                         ['riffle: needs GLIBC_2.36; allowed: up to GLIBC_2.35',
                          'riffle: needs GLIBCXX_3.4.31; allowed: up to GLIBCXX_3.4.30'])

    def test_versions_that_a_library_defines_do_not_count(self):
        self.assertEqual(libraries.symbol_faults('a', '0x1: Rev: 1  Flags: none  Index: 4  Cnt: 1  Name: GLIBCXX_3.4.33\n'), [])

    def test_they_are_found_in_a_library_of_this_system(self):
        said = subprocess.run(['readelf', '-V', '-W', sys.executable], check=True, capture_output=True, text=True).stdout
        newest, libraries.NEWEST['GLIBC'] = libraries.NEWEST['GLIBC'], (2, 0)
        try:
            self.assertTrue(libraries.symbol_faults(sys.executable, said))
        finally:
            libraries.NEWEST['GLIBC'] = newest


if __name__ == '__main__':
    unittest.main(verbosity=2)
