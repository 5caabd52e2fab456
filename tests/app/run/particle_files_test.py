"""Files of particles are what other programs read: particle_files_test.py PROGRAM [unittest options]

The numbers of each format are compared with those of the CSV files of the same run, which repeats on the CPU. GSD files and
dumps are read by readers of this file, from the formats' published descriptions; besides, each format is read by the module
of its own program, where Python has it: h5py, vtk, gsd and ovito.
"""

import importlib.util
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from written_files import as_float, module

PROGRAM = os.path.abspath(sys.argv.pop(1))

# Particles come and go, and axes of both kinds that do not repeat.
FLOW = """dimension: 2
domain: {min: [1, 2], max: [2, 3], axes: [walled, open]}
particles: {spacing: 0.04}
bodies:
  - {box: {min: [1, 2], max: [2, 2.3]}}
inlets:
  - {disc: {center: [1.5, 3], radius: 0.08}, speed: 2}
outlets:
  - {box: {min: [1, 2], max: [1.3, 2.1]}}
time: {end: 0.1}
"""
# Reduced units, two fluids, unwrapped places.
BOX = """dimension: 3
domain: {min: [-1, 0, 0], max: [2, 3, 4], axes: periodic}
particles: {number_density: 3}
gravity: [0, 0, 0]
fluids: [{name: water}, {name: oil, mass: 2}]
solver: {type: dpd}
time: {step: 0.02, end: 0.8}
bodies:
  - {fluid: water, box: {min: [-1, 0, 0], max: [0.5, 3, 4]}}
  - {fluid: oil, box: {min: [0.5, 0, 0], max: [2, 3, 4]}}
"""
SCENES = {'flow': (FLOW, '0.1', '0.03'), 'box': (BOX, '0.8', '0.3')}


def bits(values):
    return [struct.pack('f', value) for value in values]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name, (text, _, _) in SCENES.items():
            (self.folder / f'{name}.yaml').write_text(text)

    def command(self, *words):
        return [PROGRAM, *words, '--device', 'cpu', '--no-picture', '--quiet']

    def riffle(self, *words, code=0, **more):
        ran = subprocess.run(self.command(*words), cwd=self.folder, capture_output=True, text=True, check=False, **more)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stderr

    def series(self, scene, file, *more):
        _, end, every = SCENES[scene]
        self.riffle('run', f'{scene}.yaml', '--time', end, '--particles', file, '--particles-every', every, *more)
        return self.folder / file

    def expected(self, scene, *more):
        """The frames of a run, as its CSV files have them."""
        self.series(scene, f'{scene}.csv', *more)
        return [read_csv(file) for file in sorted(self.folder.glob(f'{scene}_*.csv'))]


class Frame:
    """What every format has: numbers by column."""

    def __init__(self, when, step, columns, names=(), units=None):
        self.time, self.step, self.columns, self.fluids, self.units = when, step, columns, list(names), units or {}

    def count(self):
        return len(self.columns['id'])


def read_csv(file):
    rows, comments = [], []
    for line in file.read_text().splitlines():
        (comments if line.startswith('#') else rows).append(line)
    words = [comment.split() for comment in comments]
    when = next(w for w in words if w[1] == 'time')
    columns = {name: [] for name in rows[0].split(',')}
    for row in rows[1:]:
        for (name, values), text in zip(columns.items(), row.split(',')):
            values.append(int(text) if name in ('id', 'fluid') else as_float(text))
    return Frame(float(when[2]), int(when[4]), columns, [w[3] for w in words if w[1] == 'fluid'],
                 {w[2]: w[3] for w in words if w[1] == 'unit'})


def read_dump(file):
    """[(frame, box)] of a LAMMPS dump, from its ITEM lines."""
    frames, units, lines = [], None, iter(file.read_text().splitlines())
    when = step = count = box = None
    for line in lines:
        if line == 'ITEM: UNITS':
            units = next(lines)
        elif line == 'ITEM: TIME':
            when = float(next(lines))
        elif line == 'ITEM: TIMESTEP':
            step = int(next(lines))
        elif line == 'ITEM: NUMBER OF ATOMS':
            count = int(next(lines))
        elif line.startswith('ITEM: BOX BOUNDS '):
            box = (line.split()[3:], [[float(x) for x in next(lines).split()] for _ in range(3)], units)
        elif line.startswith('ITEM: ATOMS '):
            rows = [next(lines).split() for _ in range(count)]
            columns = {name: [int(row[k]) - 1 if name in ('id', 'type') else as_float(row[k]) for row in rows]
                       for k, name in enumerate(line.split()[2:])}
            columns['fluid'] = columns.pop('type')
            frames.append((Frame(when, step, columns), box))
        else:
            raise ValueError(f'a line that is no header: {line}')
    return frames


GSD_TYPES = {1: 'B', 2: 'H', 3: 'I', 4: 'Q', 5: 'b', 6: 'h', 7: 'i', 8: 'q', 9: 'f', 10: 'd'}


def read_gsd(file):
    """(application, schema, versions, [{chunk: (rows, columns, numbers)} of each frame]) of a GSD file."""
    data = file.read_bytes()
    (magic, index, entries, names_at, segments, schema_version, version, application,
     schema) = struct.unpack_from('<5Q2I64s64s', data)
    if magic != 0x65DF65DF65DF65DF:
        raise ValueError('no GSD file')
    names = data[names_at:names_at + 64 * segments].split(b'\0')
    frames, before = [], (0, -1)
    for k in range(entries):
        frame, rows, place, columns, name, kind, flags = struct.unpack_from('<QQqIHBB', data, index + 32 * k)
        if place == 0:
            break
        if (frame, name) <= before or flags != 0:
            raise ValueError('the index is not sorted by frame and name')
        before = (frame, name)
        while len(frames) <= frame:
            frames.append({})
        frames[frame][names[name].decode()] = (rows, columns,
                                               struct.unpack_from(f'<{rows * columns}{GSD_TYPES[kind]}', data, place))
    return application.rstrip(b'\0').decode(), schema.rstrip(b'\0').decode(), (version, schema_version), frames


def gsd_text(chunk):
    return struct.pack(f'{len(chunk[2])}b', *chunk[2]).decode()


VECTORS = {'x': ('position', 0), 'y': ('position', 1), 'z': ('position', 2), 'vx': ('velocity', 0), 'vy': ('velocity', 1),
           'vz': ('velocity', 2), 'unwrapped_x': ('unwrapped', 0), 'unwrapped_y': ('unwrapped', 1),
           'unwrapped_z': ('unwrapped', 2)}


class Dump(Folder):
    def test_has_the_numbers_of_the_run(self):
        for scene in SCENES:
            frames, expected = read_dump(self.series(scene, f'{scene}.lammpstrj')), self.expected(scene)
            self.assertEqual(len(frames), len(expected))
            self.assertGreaterEqual(len(expected), 4)
            for (frame, _), known in zip(frames, expected):
                self.assertEqual((frame.time, frame.step), (known.time, known.step))
                self.assertEqual(set(frame.columns), set(known.columns))
                for name, values in known.columns.items():
                    self.assertEqual(frame.columns[name], values, name)
        self.assertNotEqual(expected[0].columns['unwrapped_x'], expected[0].columns['vx'])

    def test_has_box_faces_and_units(self):
        flow = read_dump(self.series('flow', 'flow.dump'))
        self.assertGreater(len({frame.count() for frame, _ in flow}), 1, 'the number of particles never changes')
        for _, (faces, bounds, units) in flow:
            self.assertEqual((faces, units), (['ff', 'ff', 'pp'], 'si'))
            self.assertEqual(bounds[:2], [[1, 2], [2, 3]])
            self.assertEqual(bounds[2], [-0.02, 0.02])
        (_, (faces, bounds, units)), = read_dump(self.series('box', 'box.dump'))[:1]
        self.assertEqual((faces, bounds, units), (['pp'] * 3, [[-1, 2], [0, 3], [0, 4]], 'lj'))

    def test_is_read_by_ovito(self):
        check_with_ovito(self, 'lammpstrj', 'Time', lambda box: (0, 0, 0))


class Gsd(Folder):
    def test_has_the_numbers_of_the_run(self):
        for scene, center, units in (('flow', (1.5, 2.5, 0), 'time s; position m; velocity m/s'),
                                     ('box', (0.5, 1.5, 2), 'time tau; position r_c; velocity r_c/tau')):
            application, schema, versions, frames = read_gsd(self.series(scene, f'{scene}.gsd'))
            self.assertTrue(application.startswith('Riffle '))
            self.assertEqual((schema, versions), ('hoomd', (2 << 16, 1 << 16 | 4)))
            expected = self.expected(scene)
            self.assertEqual(len(frames), len(expected))
            for frame, known in zip(frames, expected):
                self.check_frame(frame, known, center)
                self.assertTrue(gsd_text(frame['log/units']).startswith(units), gsd_text(frame['log/units']))

    def check_frame(self, frame, known, center):
        count = known.count()
        one = {name: frame[name][2][0] for name in ('configuration/step', 'particles/N', 'log/time')}
        self.assertEqual(one, {'configuration/step': known.step, 'particles/N': count, 'log/time': known.time})
        self.assertEqual(frame['log/box_center'][2], center)
        box = frame['configuration/box'][2]
        flat = 'unwrapped_x' not in known.columns
        self.assertEqual(frame['configuration/dimensions'][2][0], 2 if flat else 3)
        self.assertEqual(frame['log/periodic'][2], (0, 0, 0) if flat else (1, 1, 1))
        self.assertEqual(box[3:], (0, 0, 0))
        for k, size in enumerate((1, 1) if flat else (3, 3, 4)):
            (self.assertGreaterEqual if flat else self.assertEqual)(box[k], size)
        self.assertEqual(frame['particles/typeid'][2], tuple(known.columns['fluid']))
        rows, width, letters = frame['particles/types']
        text = struct.pack(f'{len(letters)}b', *letters)
        self.assertEqual([text[k * width:(k + 1) * width].rstrip(b'\0').decode() for k in range(rows)], known.fluids)
        masses = [1.6] if flat else [1, 2]  # 1000 kg/m^3 (0.04 m)^2
        for mass, fluid in zip(frame['particles/mass'][2], known.columns['fluid']):
            self.assertAlmostEqual(mass, masses[fluid], places=6)
        self.assertEqual(frame['log/particles/id'][2], tuple(known.columns['id']))
        for name, values in known.columns.items():
            if name in ('id', 'fluid'):
                continue
            field, axis = VECTORS.get(name, (name, 0))
            chunk = frame[f'particles/{field}' if field in ('position', 'velocity') else f'log/particles/{field}']
            self.assertEqual(chunk[0], count)
            found = chunk[2][axis::chunk[1]]
            if field != 'position':
                self.assertEqual(bits(found), bits(values), name)
                continue
            for place, value in zip(found, values):
                self.assertLess(abs(place), box[axis] / 2 + 1e-30)
                self.assertAlmostEqual(place + center[axis], value, delta=3e-7)

    def test_of_no_particle_is_a_frame(self):
        (self.folder / 'tap.yaml').write_text(FLOW.replace('bodies:\n  - {box: {min: [1, 2], max: [2, 2.3]}}\n', ''))
        ran = subprocess.run(self.command('run', 'tap.yaml', '--time', '0.1', '--particles', 't.gsd', '--particles-every', '0.03'),
                             cwd=self.folder, capture_output=True, text=True, check=False)
        if ran.returncode == 2:
            self.skipTest('a scene must begin with particles: ' + ran.stderr)
        frames = read_gsd(self.folder / 't.gsd')[3]
        self.assertGreater(frames[-1]['particles/N'][2][0], 0)
        self.assertEqual(frames[0]['particles/N'][2][0], frames[0].get('particles/typeid', (0,))[0])

    def test_index_grows_with_the_frames(self):
        file = self.folder / 'many.gsd'
        self.riffle('run', 'box.yaml', '--steps', '100', '--particles', file.name, '--particles-every', '0.02')
        frames = read_gsd(file)[3]
        self.assertEqual(len(frames), 101)
        self.assertGreater(sum(map(len, frames)), 1024, 'the first index has room for all')
        self.assertEqual([frame['configuration/step'][2][0] for frame in frames], list(range(101)))

    def test_is_read_by_gsd(self):
        hoomd = module('gsd.hoomd')
        for scene in SCENES:
            file, expected = self.series(scene, f'{scene}.gsd'), self.expected(scene)
            with hoomd.open(name=str(file), mode='r') as trajectory:
                self.assertEqual(len(trajectory), len(expected))
                for frame, known in zip(trajectory, expected):
                    frame.validate()
                    self.assertEqual((frame.configuration.step, frame.particles.N), (known.step, known.count()))
                    self.assertEqual(list(frame.particles.types), known.fluids)
                    self.assertEqual(frame.log['time'][0], known.time)
                    self.assertEqual(frame.log['particles/speed'].tolist(), known.columns['speed'])
                    place = frame.particles.position + frame.log['box_center'].reshape(3)
                    for axis, name in enumerate('xyz'):
                        if name in known.columns:
                            self.assertLess(max(abs(place[:, axis] - known.columns[name]), default=0), 3e-7)
                    self.assertEqual(frame.particles.velocity[:, 0].tolist(), known.columns['vx'])

    def test_is_read_by_ovito(self):
        check_with_ovito(self, 'gsd', 'time', lambda box: box)


def check_with_ovito(test, ending, time_name, shift):
    ovito = module('ovito.io')
    for scene, center in (('flow', (1.5, 2.5, 0)), ('box', (0.5, 1.5, 2))):
        file, expected = test.series(scene, f'{scene}.{ending}'), test.expected(scene)
        pipeline = ovito.import_file(str(file))
        test.assertEqual(pipeline.source.num_frames, len(expected))
        for k, known in enumerate(expected):
            data = pipeline.compute(k)
            test.assertEqual(data.particles.count, known.count())
            test.assertEqual(data.attributes['Timestep'], known.step)
            test.assertAlmostEqual(float(data.attributes[time_name]), known.time, places=9)
            test.assertEqual(bool(data.cell.pbc[0]), ending == 'gsd' or scene == 'box')
            test.assertEqual(bool(data.cell.is2D), scene == 'flow' and ending == 'gsd')  # a dump does not say it
            test.assertEqual([as_float(v) for v in data.particles['Velocity'][:, 1]], known.columns['vy'])
            moved = shift(center)
            for axis, name in enumerate('xyz'):
                found = data.particles['Position'][:, axis] + moved[axis]
                for a, b in zip(found, known.columns.get(name, [])):
                    test.assertAlmostEqual(a, b, delta=3e-7)
            speed = next(p for p in data.particles.keys() if p.lower() in ('speed', 'log/particles/speed', 'particles/speed'))
            test.assertEqual([as_float(v) for v in data.particles[speed]], known.columns['speed'])


class Hdf5(Folder):
    def test_is_read_by_h5py(self):
        h5py = module('h5py')
        for scene in SCENES:
            file, expected = self.series(scene, f'{scene}.h5'), self.expected(scene)
            with h5py.File(file) as series:
                frames = [series[name] for name in sorted(series) if name.startswith('frame_')]
                self.assertEqual(len(frames), len(expected))
                self.assertEqual(series['fluids/0'].attrs['name'].decode(), 'water')
                for frame, known in zip(frames, expected):
                    self.assertEqual((frame.attrs['time'], frame.attrs['step'], frame.attrs['count']),
                                     (known.time, known.step, known.count()))
                    self.assertEqual(frame.attrs['unit'].decode(), 's' if scene == 'flow' else 'tau')
                    for name, values in known.columns.items():
                        field, axis = VECTORS.get(name, (name, None))
                        found = frame[field][:] if axis is None else frame[field][:, axis]
                        self.assertEqual(found.tolist(), values, name)
                        self.assertEqual((frame[field].compression, frame[field].shuffle), ('gzip', True))
                    for field, unit in known.units.items():
                        self.assertEqual(frame[field].attrs['unit'].decode(), unit)

    def test_xmf_names_arrays_that_are_there(self):
        h5py = module('h5py')
        tree = importlib.import_module('xml.etree.ElementTree')
        file, expected = self.series('flow', 'flow.h5'), self.expected('flow')
        collection = tree.parse(self.folder / 'flow.xmf').getroot().find('Domain/Grid')
        self.assertEqual((collection.get('GridType'), collection.get('CollectionType')), ('Collection', 'Temporal'))
        grids = collection.findall('Grid')
        self.assertEqual([float(grid.find('Time').get('Value')) for grid in grids], [known.time for known in expected])
        with h5py.File(file) as series:
            for grid, known in zip(grids, expected):
                items = list(grid.iter('DataItem'))
                self.assertEqual(len(items), len({VECTORS.get(name, (name,))[0] for name in known.columns}))
                for item in items:
                    name, array = item.text.split(':')
                    self.assertEqual(name, 'flow.h5')
                    self.assertEqual(list(series[array].shape), [int(size) for size in item.get('Dimensions').split()])

    def test_xmf_is_read_by_vtk(self):
        xdmf = module('vtkmodules.vtkIOXdmf2')
        convert = module('vtkmodules.util.numpy_support')
        self.series('flow', 'flow.h5')
        expected = self.expected('flow')
        reader = xdmf.vtkXdmfReader()
        reader.SetFileName(str(self.folder / 'flow.xmf'))
        reader.UpdateInformation()
        key = importlib.import_module('vtkmodules.vtkCommonExecutionModel').vtkStreamingDemandDrivenPipeline.TIME_STEPS()
        times = reader.GetOutputInformation(0).Get(key)
        self.assertEqual(list(times), [known.time for known in expected])
        for known in expected:
            reader.UpdateTimeStep(known.time)
            output = reader.GetOutputDataObject(0)
            while output.IsA('vtkMultiBlockDataSet'):
                output = output.GetBlock(0)
            self.assertEqual(output.GetNumberOfPoints(), known.count())
            points = convert.vtk_to_numpy(output.GetPoints().GetData())
            self.assertEqual(points[:, 1].tolist(), known.columns['y'])
            self.assertEqual(convert.vtk_to_numpy(output.GetPointData().GetArray('density')).tolist(),
                             known.columns['density'])


class State(Folder):
    """A state and its companion, which ParaView opens by the same reader as vtk's."""

    def state(self, scene):
        """(the state, particles of the same step)"""
        self.riffle('run', f'{scene}.yaml', '--steps', '9', '--checkpoint', 's.h5', '--particles', 'p.csv')
        return self.folder / 's.h5', read_csv(self.folder / 'p.csv')

    def compare(self, known, ids, arrays):
        self.assertEqual(sorted(ids), sorted(known.columns['id']))
        row = {particle: k for k, particle in enumerate(known.columns['id'])}
        for name in ('x', 'y', 'vx', 'fluid'):
            field, axis = VECTORS.get(name, (name, None))
            for k, particle in enumerate(ids):
                value = arrays[field][k] if axis is None else arrays[field][k][axis]
                self.assertEqual(value, known.columns[name][row[particle]], name)

    def test_is_read_by_h5py(self):
        h5py = module('h5py')
        for scene in SCENES:
            file, known = self.state(scene)
            with h5py.File(file) as state:
                self.assertEqual((state['clock'].attrs['step'], state['clock'].attrs['time']), (9, known.time))
                arrays = {name: array[:] for name, array in state['particles'].items()}
                for name, array in state['particles'].items():
                    self.assertIn('unit', array.attrs, name)
                self.compare(known, arrays['id'].tolist(), arrays)

    def test_xmf_is_read_by_vtk(self):
        xdmf = module('vtkmodules.vtkIOXdmf2')
        convert = module('vtkmodules.util.numpy_support')
        for scene in SCENES:
            _, known = self.state(scene)
            reader = xdmf.vtkXdmfReader()
            reader.SetFileName(str(self.folder / 's.xmf'))
            reader.Update()
            output = reader.GetOutputDataObject(0)
            while output.IsA('vtkMultiBlockDataSet'):
                output = output.GetBlock(0)
            data = output.GetPointData()
            arrays = {data.GetArrayName(k): convert.vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
            arrays['position'] = convert.vtk_to_numpy(output.GetPoints().GetData())
            self.compare(known, arrays['id'].tolist(), arrays)


class Vtp(Folder):
    def test_is_read_by_vtk(self):
        xml = module('vtkmodules.vtkIOXML')
        convert = module('vtkmodules.util.numpy_support')
        self.series('box', 'box.vtp')
        for k, known in enumerate(self.expected('box')):
            reader = xml.vtkXMLPolyDataReader()
            reader.SetFileName(str(self.folder / f'box_{k:06}.vtp'))
            reader.Update()
            output = reader.GetOutput()
            self.assertEqual(output.GetNumberOfVerts(), known.count())
            self.assertEqual(convert.vtk_to_numpy(output.GetPoints().GetData())[:, 2].tolist(), known.columns['z'])
            self.assertEqual(convert.vtk_to_numpy(output.GetPointData().GetArray('unwrapped'))[:, 0].tolist(),
                             known.columns['unwrapped_x'])


class Csv(Folder):
    """The calls of docs/command-line.md."""

    def test_is_read_by_numpy(self):
        numpy = module('numpy')
        self.series('box', 'box.csv', '--series', 'series.csv')
        known = read_csv(self.folder / 'box_000001.csv')
        table = numpy.genfromtxt((line for line in open(self.folder / 'box_000001.csv') if line[0] != "#"), delimiter=",",
                                 names=True)
        self.assertEqual(table['x'].astype('f4').tolist(), known.columns['x'])
        self.assertEqual(len(table), known.count())
        series = numpy.genfromtxt(self.folder / 'series.csv', delimiter=",", names=True)
        self.assertTrue(series.dtype.names[0].startswith('time_'))
        self.assertEqual(series[series.dtype.names[0]][0], 0)

    def test_is_read_by_pandas(self):
        pandas = module('pandas')
        self.series('box', 'box.csv', '--series', 'series.csv')
        known = read_csv(self.folder / 'box_000001.csv')
        table = pandas.read_csv(self.folder / 'box_000001.csv', comment="#")
        self.assertEqual(table['x'].astype('f4').tolist(), known.columns['x'])
        self.assertEqual(pandas.read_csv(self.folder / 'series.csv').iloc[0, 0], 0)


class Fields(Folder):
    def test_are_those_that_were_asked_for(self):
        file = self.series('flow', 'few.lammpstrj', '--particles-fields', 'density,velocity')
        for frame, _ in read_dump(file):
            self.assertEqual(list(frame.columns), ['id', 'x', 'y', 'z', 'vx', 'vy', 'vz', 'density', 'fluid'])
        frames = read_gsd(self.series('flow', 'few.gsd', '--particles-fields', 'pressure'))[3]
        self.assertNotIn('particles/velocity', frames[0])
        self.assertEqual({name for name in frames[0] if name.startswith('log/particles/')},
                         {'log/particles/pressure', 'log/particles/id'})
        self.riffle('run', 'flow.yaml', '--steps', '1', '--particles', 'one.vtp', '--particles-fields', 'density')
        head = (self.folder / 'one.vtp').read_bytes().split(b'<AppendedData')[0]
        self.assertIn(b'Name="density"', head)
        self.assertNotIn(b'speed"', head.replace(b'ExpectedSpeed"', b''))

    def test_that_are_none_are_refused_with_those_there_are(self):
        said = self.riffle('run', 'box.yaml', '--steps', '1000000000', '--particles', 'p.gsd', '--particles-fields',
                           'velocity,density', code=2)
        self.assertIn("--particles-fields: found 'density'; allowed for the particles of this scene: position, velocity, speed",
                      said)
        self.assertIn('unwrapped', said)


READERS = {'lammpstrj': lambda file: [frame.step for frame, _ in read_dump(file)],
           'gsd': lambda file: [frame['configuration/step'][2][0] for frame in read_gsd(file)[3]]}


def h5_steps(file):
    with module('h5py').File(file) as series:
        return [int(series[name].attrs['step']) for name in sorted(series) if name.startswith('frame_')]


def steps_of(file):
    return READERS.get(file.suffix[1:], h5_steps)(file)


class Trouble(Folder):
    def test_a_full_disk_leaves_the_frames_before_and_says_which_is_missing(self):
        for ending in ('lammpstrj', 'gsd', 'h5'):
            with self.subTest(ending):
                file = self.folder / f'p.{ending}'
                run = ' '.join(self.command('run', 'box.yaml', '--steps', '60', '--particles', file.name, '--particles-every',
                                            '0.02', '--json', 'r.json'))
                # Blocks of 1024 bytes, for a few frames. The limit is for every file of the run.
                ran = subprocess.run(['bash', '-c', f'export ASAN_OPTIONS=detect_leaks=0; ulimit -f 300; {run}'],
                                     cwd=self.folder, capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 1, ran.stderr)
                self.assertRegex(ran.stderr, rf'p\.{ending}: cannot be written: File too large, in frame [1-9]\d* at [0-9.]+; '
                                             'the file has the frames before it')
                frame = int(ran.stderr.split('in frame ')[1].split()[0])
                if ending != 'h5' or importlib.util.find_spec('h5py'):
                    self.assertEqual(steps_of(file), list(range(frame)))
                self.assertEqual([name for name in os.listdir(self.folder) if 'partial' in name], [])

    def test_a_first_frame_that_does_not_fit_leaves_the_file_that_was_there(self):
        for ending in ('lammpstrj', 'gsd', 'h5'):
            with self.subTest(ending):
                file = self.folder / f'q.{ending}'
                file.write_text('an older file')
                run = ' '.join(self.command('run', 'box.yaml', '--steps', '2', '--particles', file.name))
                ran = subprocess.run(['bash', '-c', f'export ASAN_OPTIONS=detect_leaks=0; ulimit -f 1; {run}'],
                                     cwd=self.folder, capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 1, ran.stderr)
                self.assertIn(f'q.{ending}: cannot be written: File too large, in frame 0 at 0.04', ran.stderr)
                self.assertEqual(file.read_text(), 'an older file')
                self.assertEqual([name for name in os.listdir(self.folder) if 'partial' in name], [])

    def test_a_run_that_is_killed_leaves_the_frames_up_to_then(self):
        for ending in ('lammpstrj', 'gsd', 'h5') if importlib.util.find_spec('h5py') else ('lammpstrj', 'gsd'):
            for _ in range(3 if ending == 'h5' else 1):  # HDF5's tables change in the middle of the file
                file = self.folder / f'k.{ending}'
                file.unlink(missing_ok=True)
                with subprocess.Popen(self.command('run', 'box.yaml', '--steps', '1000000', '--particles', file.name,
                                                   '--particles-every', '0.02'), cwd=self.folder,
                                      stderr=subprocess.DEVNULL) as running:
                    end = time.monotonic() + 30
                    while (not file.exists() or file.stat().st_size < 400000) and time.monotonic() < end:
                        time.sleep(0.01)
                    running.send_signal(signal.SIGKILL)
                if ending == 'lammpstrj':  # the last frame may be cut off
                    text = file.read_text()
                    file.write_text(text[:text.rindex('ITEM: TIME\n')])
                found = steps_of(file)
                self.assertGreater(len(found), 3)
                self.assertEqual(found, list(range(len(found))))

    def test_a_pipe_is_refused_where_the_file_changes_in_place(self):
        os.mkfifo(self.folder / 'pipe.gsd')
        said = self.riffle('run', 'box.yaml', '--steps', '1', '--particles', 'pipe.gsd', code=2)
        self.assertIn('pipe.gsd: is there and is no regular file; .gsd can only be written to one', said)

    def test_the_companion_may_not_be_another_output(self):
        said = self.riffle('run', 'box.yaml', '--steps', '1', '--particles', 'state.h5', '--checkpoint', 'b/../state.hdf5', code=2)
        self.assertIn('same file', said)


class Resume(Folder):
    def test_goes_on_in_the_file_of_before(self):
        for ending in ('lammpstrj', 'gsd', 'h5') if importlib.util.find_spec('h5py') else ('lammpstrj', 'gsd'):
            with self.subTest(ending):
                whole = self.folder / f'whole.{ending}'
                words = ['--particles-every', '0.1']
                self.riffle('run', 'box.yaml', '--time', '0.8', '--particles', whole.name, *words)
                self.riffle('run', 'box.yaml', '--time', '0.42', '--checkpoint', 's.h5')
                part = self.folder / f'part.{ending}'
                self.riffle('run', 'box.yaml', '--time', '0.6', '--particles', part.name, *words)
                self.riffle('resume', 's.h5', '--time', '0.8', '--particles', part.name, *words)
                expected, found = steps_of(whole), steps_of(part)
                self.assertEqual(found, expected)
                self.assertEqual(len(found), 9)
                said = self.riffle('resume', 's.h5', '--time', '0.9', '--particles', part.name, '--particles-every', '0.3', code=2)
                self.assertIn('allowed: the interval of the run that goes on, or a new name', said)
                self.assertEqual(steps_of(part), expected)
                said = self.riffle('resume', 's.h5', '--time', '0.9', '--particles', part.name, '--particles-every', '0.03', code=2)
                self.assertIn('has more between them', said)
                self.assertEqual(steps_of(part), expected)
                part.write_bytes(b'something else\n')
                said = self.riffle('resume', 's.h5', '--time', '0.9', '--particles', part.name, *words, code=2)
                self.assertIn(part.name, said)
                self.assertEqual(part.read_bytes(), b'something else\n')

    def test_goes_on_twice_in_a_file_that_a_resume_began(self):
        self.riffle('run', 'box.yaml', '--time', '0.42', '--checkpoint', 's.h5')
        for ending in ('lammpstrj', 'gsd', 'h5') if importlib.util.find_spec('h5py') else ('lammpstrj', 'gsd'):
            with self.subTest(ending):
                file = self.folder / f'later.{ending}'
                words = ['--particles', file.name, '--particles-every', '0.1']
                self.riffle('resume', 's.h5', '--time', '0.72', *words)
                first = steps_of(file)
                self.assertEqual(len(first), 4)  # at 0.5, 0.6, 0.7 and at the end
                self.riffle('resume', 's.h5', '--time', '0.82', '--checkpoint', 't.h5', *words)
                self.assertEqual(steps_of(file)[:3], first[:3])
                self.assertEqual(len(steps_of(file)), 5)
                self.riffle('resume', 't.h5', '--time', '0.92', *words)
                self.assertEqual(steps_of(file)[:3], first[:3])
                self.assertEqual(len(steps_of(file)), 6)


if __name__ == '__main__':
    unittest.main()
