"""The files by which desktops find the program fit together: desktop_files_test.py SOURCE_FOLDER"""

import configparser
import os
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

SOURCE = sys.argv.pop(1)
FOLDER = os.path.join(SOURCE, 'packaging')


def accepted(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    return (done.returncode, done.stdout + done.stderr)


class DesktopFiles(unittest.TestCase):
    def test_they_name_each_other_and_the_program(self):
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str
        entry.read(os.path.join(FOLDER, 'riffle.desktop'))
        entry = entry['Desktop Entry']
        info = xml.parse(os.path.join(FOLDER, 'riffle.metainfo.xml')).getroot()
        self.assertEqual(entry['Exec'], 'riffle')
        self.assertTrue(os.path.isfile(os.path.join(FOLDER, entry['Icon'] + '.svg')))
        self.assertEqual(info.find('launchable').text, 'riffle.desktop')
        self.assertEqual(info.find('provides/binary').text, entry['Exec'])
        self.assertEqual(info.find('summary').text, entry['Comment'])
        self.assertEqual(info.find('id').text + '.metainfo.xml', self.installed_name())
        with open(os.path.join(SOURCE, 'app', 'desktop', 'platform', 'window.cpp'), encoding='utf-8') as window:
            self.assertIn(f'GLFW_X11_CLASS_NAME, "{entry["StartupWMClass"]}"', window.read())

    def installed_name(self):
        with open(os.path.join(FOLDER, 'CMakeLists.txt'), encoding='utf-8') as text:
            return next(word.rstrip(')\n') for line in text for word in line.split(' ') if word.endswith('.metainfo.xml)\n'))

    def test_the_picture_is_a_square(self):
        picture = xml.parse(os.path.join(FOLDER, 'riffle.svg')).getroot()
        self.assertEqual(picture.get('width'), picture.get('height'))

    def test_desktop_file_validate_accepts_the_entry(self):
        if not shutil.which('desktop-file-validate'):
            self.skipTest('desktop-file-validate is not installed')
        self.assertEqual(accepted('desktop-file-validate', os.path.join(FOLDER, 'riffle.desktop')), (0, ''))

    def test_appstreamcli_accepts_the_description(self):
        if not shutil.which('appstreamcli'):
            self.skipTest('appstreamcli is not installed')
        code, said = accepted('appstreamcli', 'validate', '--no-net', os.path.join(FOLDER, 'riffle.metainfo.xml'))
        self.assertEqual(code, 0, said)


if __name__ == '__main__':
    unittest.main(verbosity=2)
