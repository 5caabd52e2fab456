#!/usr/bin/env python3
"""state_as_text.py FILE.h5: a state file as the text of hdf5_text.h, for corpus/state_contents. Needs h5py."""
import sys

import h5py
import numpy

TYPES = {'uint8': 'u8', 'int32': 'i32', 'uint32': 'u32', 'uint64': 'u64', 'float32': 'f32', 'float64': 'f64'}


def text_of(value):
    text = value.decode() if isinstance(value, bytes) else str(value)
    return text.replace('\n', '\\n')


def print_notes(name, thing):
    for key in thing.attrs:
        value = thing.attrs[key]
        if isinstance(value, (bytes, str, numpy.bytes_)):
            print('note', name, key, 'text', text_of(value))
        else:
            print('note', name, key, TYPES[value.dtype.name], repr(value.item()))


def print_object(name, thing):
    if isinstance(thing, h5py.Group):
        print('group', name)
    elif thing.dtype.kind in 'SO':
        print('text', name, text_of(thing[()]))
    else:
        numbers = thing[()].flatten()
        sizes = 'x'.join(map(str, thing.shape)) or '-'
        print('array', name, TYPES[thing.dtype.name], sizes, *(repr(v.item()) for v in numbers))
    print_notes(name, thing)


with h5py.File(sys.argv[1], 'r') as file:
    print_notes('/', file)
    file.visititems(print_object)
