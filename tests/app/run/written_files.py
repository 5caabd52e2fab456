"""What tests of files that a run writes share."""

import importlib
import struct
import unittest


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise unittest.SkipTest(f'Python has no module {name}: {missing}') from missing


def as_float(text):
    return struct.unpack('f', struct.pack('f', float(text)))[0]
