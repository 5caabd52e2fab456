"""The manual page and the completions have every command and option of `riffle --help`: manual_test.py PROGRAM"""

import os
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
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
        self.assertEqual(self.offered('manual', ''), ['man', 'bash', 'zsh', 'fish'])

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


class Shells(unittest.TestCase):
    """What zsh and fish offer. A shell that is missing is skipped by name."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.home.cleanup)
        for shell, name in (('zsh', '_riffle'), ('fish', 'riffle.fish')):
            subprocess.run([PROGRAM, 'manual', shell, '--out', os.path.join(cls.folder.name, name)], check=True)
        os.mkdir(os.path.join(cls.folder.name, 'a folder'))
        open(os.path.join(cls.folder.name, 'own.yaml'), 'w').close()
        cls.path = dict(os.environ, PATH=os.path.dirname(os.path.abspath(PROGRAM)) + ':' + os.environ['PATH'],
                        HOME=cls.home.name, XDG_CONFIG_HOME=cls.home.name)

    def shell(self, name, code, *words):
        if not shutil.which(name):
            self.skipTest(f'{name} is not installed')
        flags = {'zsh': ['-f', '-c', code, 'zsh'], 'fish': ['--no-config', '-c', code]}[name]
        done = subprocess.run([name, *flags, *words], cwd=self.folder.name, env=self.path, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ''), words)
        return [line for line in done.stdout.splitlines() if line]

    def zsh(self, *words):
        """The words and, of files, the arguments of _files; zsh itself takes those that begin as the last word."""
        code = ('compadd() { shift; print -rl -- "$@" }; _files() { print -r -- "_files${1:+ $1}" }; compset() { : }; '
                '_describe() { local k; for k in $offered; do print -r -- ${k%%:*}; done }; compdef() { : }; '
                'source ./_riffle; words=(riffle "$@"); CURRENT=$#words; _riffle; true')
        return self.shell('zsh', code, *words)

    def fish(self, *words):
        code = f'source riffle.fish; complete -C {shlex.quote("riffle " + " ".join(words))}'
        return [line.split('\t')[0] for line in self.shell('fish', code)]

    def test_offer_every_option_of_every_command_and_no_other(self):
        for offered in (self.zsh, self.fish):
            with self.subTest(shell=offered.__name__):
                for command, options in HELPS.items():
                    found = offered(*command, '-' if offered == self.zsh else '--')
                    wanted = [o for o in options if offered == self.zsh or o.startswith('--')]
                    self.assertEqual(sorted(found), sorted(wanted), command)

    def test_offer_every_command(self):
        for offered in (self.zsh, self.fish):
            with self.subTest(shell=offered.__name__):
                for command in HELPS:
                    if command:
                        self.assertIn(command[-1], offered(*command[:-1], ''))

    def test_offer_the_values_of_options(self):
        for offered in (self.zsh, self.fish):
            with self.subTest(shell=offered.__name__):
                self.assertEqual(sorted(offered('run', 'dam_break', '--look', '')), ['fluid', 'spheres'])
                self.assertEqual(offered('run', 'dam_break', '--steps', ''), [])
                self.assertIn('knot', offered('run', ''))
                self.assertIn('hydrostatic', offered('validate', ''))
                self.assertEqual(sorted(offered('manual', '')), ['bash', 'fish', 'man', 'zsh'])
        with self.subTest(shell='zsh, files'):
            self.assertEqual(self.zsh('run', '--out', ''), ['_files -/'])
            self.assertEqual(self.zsh('run', '--json', ''), ['_files'])
            self.assertEqual(self.zsh('run', '--look=sp'), ['spheres', 'fluid'])
        with self.subTest(shell='fish, files'):
            self.assertEqual(self.fish('run', '--out', ''), ['a folder/'])
            self.assertEqual(self.fish('run', '--json', 'ow'), ['own.yaml'])
            self.assertEqual(self.fish('run', '--look=sp'), ['--look=spheres'])

    def test_zsh_completes_at_its_prompt(self):
        """All of it, as a user has it: a terminal, compinit, the Tab key."""
        if not shutil.which('zsh'):
            self.skipTest('zsh is not installed')
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder.name)
            os.execvpe('zsh', ['zsh', '-f'], dict(self.path, TERM='dumb', PS1='> '))
        try:
            os.write(terminal, b'fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; print re""ady\n')
            self.assertTrue(reads(terminal, b'ready'), 'zsh has no prompt')
            os.write(terminal, b'riffle manua\t')
            self.assertTrue(reads(terminal, b'l '), 'nothing was completed')
            os.write(terminal, b'fi\t')
            self.assertTrue(reads(terminal, b'sh '), 'nothing was completed')
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(terminal)


def reads(terminal, wanted, seconds=20):
    """Whether the terminal shows these bytes in time."""
    shown, end = b'', time.monotonic() + seconds
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 4096)
    return wanted in shown


if __name__ == '__main__':
    unittest.main(verbosity=2)
