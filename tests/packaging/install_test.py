"""`cmake --install` installs everything that the program needs: install_test.py CMAKE BUILD_FOLDER SOURCE_FOLDER"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, SOURCE = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)


def names(folder, pattern):
    return sorted(os.path.basename(file) for file in glob.glob(os.path.join(folder, pattern)))


class Install(unittest.TestCase):
    """The installed program runs in an empty folder, without a home and with nothing in its environment but the PATH."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix='riffle-install-')
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.prefix = os.path.join(cls.scratch.name, 'prefix')
        cls.elsewhere = os.path.join(cls.scratch.name, 'elsewhere')
        os.mkdir(cls.elsewhere)
        subprocess.run([CMAKE, '--install', BUILD, '--prefix', cls.prefix], check=True, stdout=subprocess.DEVNULL)

    def riffle(self, *arguments):
        done = subprocess.run([os.path.join(self.prefix, 'bin', 'riffle'), *arguments], cwd=self.elsewhere,
                              env={'PATH': os.environ['PATH']}, capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def installed(self, *path):
        return os.path.join(self.prefix, *path)

    def test_a_shipped_scene_runs_by_its_bare_name(self):
        self.riffle('run', 'dam_break', '--steps', '2', '--no-picture', '--json', 'report.json', '--quiet')
        with open(os.path.join(self.elsewhere, 'report.json'), encoding='utf-8') as report:
            self.assertEqual(json.load(report)['steps'], 2)

    def test_a_scene_with_a_mesh_file_finds_the_file_and_the_program_that_reads_it(self):
        self.assertIn('particles', self.riffle('run', 'knot', '--steps', '1', '--no-picture').stdout)

    def test_the_program_does_not_look_for_files_in_the_sources(self):
        said = self.riffle('doctor').stdout
        line = next(line for line in said.splitlines() if line.split()[:2] == ['[ok]', 'scenes'])
        scenes = names(os.path.join(SOURCE, 'scenes', 'library'), '*.yaml')
        self.assertTrue(line.endswith(f'{len(scenes)} in {self.installed("share", "riffle", "scenes")}'), line)
        self.assertNotIn('has mistakes', self.riffle('list').stdout)

    def test_every_table_that_commands_read_is_there(self):
        for source, kind in (('tests/reference', 'reference'), ('bench/published', 'published')):
            tables = names(os.path.join(SOURCE, source), '*.csv')
            self.assertEqual(names(self.installed('share', 'riffle', kind), '*.csv'), tables)
        self.riffle('validate', 'couette', '--out', 'curves', '--json', 'couette.json')

    def test_a_missing_mesh_reader_is_not_taken_from_the_build_folder(self):
        reader = self.installed('bin', 'riffle-import')
        os.rename(reader, reader + '.away')
        try:
            done = subprocess.run([self.installed('bin', 'riffle'), 'run', 'knot', '--steps', '1', '--no-picture'],
                                  cwd=self.elsewhere, capture_output=True, text=True, timeout=100)
        finally:
            os.rename(reader + '.away', reader)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f'{reader}, which reads mesh files, cannot be started', done.stderr)

    def test_the_licences_and_the_pages_for_users_are_there(self):
        for file in ('LICENSE', 'LICENSE.font', 'README.md', 'docs/window.md', 'docs/command-line.md', 'docs/scene-format.md'):
            self.assertTrue(os.path.isfile(self.installed('share', 'doc', 'riffle', file)), file)

    def test_the_manual_page_and_the_completions_are_those_of_the_program(self):
        for form, path in (('man', 'man/man1/riffle.1'), ('bash', 'bash-completion/completions/riffle'),
                           ('zsh', 'zsh/vendor-completions/_riffle'), ('fish', 'fish/vendor_completions.d/riffle.fish')):
            with open(self.installed('share', path), encoding='utf-8') as file:
                self.assertEqual(file.read(), self.riffle('manual', form).stdout)

    def test_a_desktop_finds_the_program(self):
        for file in ('applications/riffle.desktop', 'icons/hicolor/scalable/apps/riffle.svg',
                     'metainfo/local.riffle.riffle.metainfo.xml'):
            self.assertTrue(os.path.isfile(self.installed('share', file)), file)


if __name__ == '__main__':
    unittest.main(verbosity=2)
