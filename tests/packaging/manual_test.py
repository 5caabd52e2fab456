"""The manual page and the completion have every command and option of `riffle --help`: manual_test.py PROGRAM"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def said(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def lines_of(text, heading):
    """The lines of a section of a help text that begin an entry."""
    inside = re.search(rf'^{heading}:\n(.*?)(?:\n\n|\Z)', text, re.DOTALL | re.MULTILINE)
    return [line[2:] for line in inside.group(1).splitlines() if re.match('  \\S', line)] if inside else []


def helps(command=()):
    """{('bench', 'step'): its options} of the program and of every command below it, as the help texts have them."""
    text = said(*command, '--help')
    found = {command: [name for line in lines_of(text, 'Options') for name in re.match('(\\S+)', line).group(1).split(',')]}
    for line in lines_of(text, 'Subcommands'):
        found.update(helps((*command, line.split()[0])))
    return found


HELPS = helps()


class Help(unittest.TestCase):
    def test_names_commands_of_both_levels_and_their_options(self):
        self.assertIn('--video', HELPS[('run',)])
        self.assertIn('--count', HELPS[('bench', 'step')])
        self.assertIn('--version', HELPS[()])


class ManualPage(unittest.TestCase):
    def setUp(self):
        self.page = said('manual', 'man')

    def sections(self):
        """{('bench', 'step'): the page's options}"""
        parts = re.split(r'^\.SS \\fBriffle ([a-z ]+)\\fR', self.page.split('.SH EXIT STATUS')[0], flags=re.MULTILINE)
        texts = {(): parts[0], **{tuple(name.split()): text for name, text in zip(parts[1::2], parts[2::2])}}
        return {command: [name.replace('\\-', '-') for names in re.findall(r'^\.TP\n(.*)', text, re.MULTILINE)
                          for name in re.findall(r'\\fB((?:\\-)+[\w\\-]+)\\fR', names)]
                for command, text in texts.items()}

    def test_has_every_command_and_option_and_no_other(self):
        groups = [command for command in HELPS if command and any(other[:-1] == command for other in HELPS)]
        self.assertEqual(self.sections(), {command: HELPS[command] for command in HELPS if command not in groups})

    def test_has_the_exit_codes_and_what_is_missing(self):
        self.assertRegex(self.page, r'\.SH EXIT STATUS\n0 done; 1 it failed')
        self.assertIn('It has no Python module.', self.page)

    def test_is_read_without_a_complaint(self):
        if not shutil.which('groff'):
            self.skipTest('groff is not installed')
        done = subprocess.run(['groff', '-man', '-Tutf8', '-ww', '-rLL=100n'], input=self.page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ''))


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.script = os.path.join(cls.folder.name, 'riffle.bash')
        subprocess.run([PROGRAM, 'manual', 'bash', '--out', cls.script], check=True)
        os.mkdir(os.path.join(cls.folder.name, 'a folder'))
        for name in ('own.yaml', 'sp ace.yaml'):
            open(os.path.join(cls.folder.name, name), 'w').close()

    def offered(self, *words):
        """What bash offers for the last of the words."""
        program = os.path.join(os.getcwd(), PROGRAM)
        code = ('source "$1"; shift; COMP_WORDS=(riffle "${@:2}"); COMP_CWORD=$(($# - 1)); compopt() { :; }; '
                '_riffle "$1"; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(['bash', '--norc', '-c', code, 'bash', self.script, program, *words], cwd=self.folder.name,
                              check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, '')
        return [line for line in done.stdout.splitlines() if line]

    def test_offers_every_option_of_every_command_and_no_other(self):
        for command, options in HELPS.items():
            self.assertEqual(sorted(self.offered(*command, '-')), sorted(options), command)

    def test_offers_every_command(self):
        for command in HELPS:
            if command:
                self.assertIn(command[-1], self.offered(*command))

    def test_offers_the_values_of_an_option(self):
        self.assertEqual(self.offered('run', 'dam_break', '--look', ''), ['spheres', 'fluid'])
        self.assertEqual(self.offered('run', 'dam_break', '--look', '=', 'fl'), ['fluid'])
        self.assertEqual(self.offered('bench', 'rtnn', '--order', 's'), ['shuffled'])
        self.assertEqual(self.offered('run', 'dam_break', '--steps', ''), [])
        self.assertEqual(self.offered('run', '--out', ''), ['a folder'])

    def test_offers_scenes_cases_and_files(self):
        self.assertEqual(self.offered('run', 'kn'), ['knot'])
        self.assertEqual(self.offered('kn'), ['knot'])
        self.assertEqual(self.offered('run', 'ow'), ['own.yaml'])
        self.assertEqual(self.offered('run', 'sp'), ['splash', 'sp ace.yaml'])
        self.assertIn('hydrostatic', self.offered('validate', 'hyd'))
        self.assertEqual(self.offered('manual', ''), ['man', 'bash'])

    def test_runs_nothing_that_stands_in_the_name_of_a_scene(self):
        scenes = os.path.join(self.folder.name, 'scenes')
        os.mkdir(scenes)
        names = ['$(touch hacked)', '`touch hacked`', 'two words', '*']
        for name in names:
            open(os.path.join(scenes, name + '.yaml'), 'w').close()
        try:
            offered = self.offered('run', '')
            self.assertTrue(set(names) <= set(offered), offered)
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, 'hacked')))
        finally:
            shutil.rmtree(scenes)


if __name__ == '__main__':
    unittest.main(verbosity=2)
