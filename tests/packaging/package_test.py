"""Makes the packages, and runs scenes in a Debian 12 that has nothing but its essential packages and apt: first with the
tarball, then with the .deb, which apt installs: package_test.py CPACK BUILD_FOLDER

Prints "SKIPPED: " and the reason where no such Debian can be made.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

CPACK, BUILD = sys.argv[1], sys.argv[2]

# $1 is the new Debian. Each run is in a folder without anything, with an empty environment and without a home. Packages are only
# installed by mmdebstrap itself, whose apt and dpkg work on the new Debian and never on this machine.
COMMON = r'''#!/bin/sh
set -eu
root=$1
elsewhere() {
  echo "== $1"
  shift
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" sh -c 'mkdir -p /srv/empty && cd /srv/empty && exec "$@"' sh "$@"
}
'''
# Before the .deb and the packages that it depends on are installed.
BEFORE = COMMON + r'''
dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${Package}\n' >"$FOLDER/before"
mkdir -p "$root/opt/riffle"
tar -xzf "$TARBALL" -C "$root/opt/riffle" --strip-components=1
elsewhere 'tarball' /opt/riffle/bin/riffle run dam_break --steps 2 --json /tmp/tarball.json
elsewhere 'tarball, mesh' /opt/riffle/bin/riffle run knot --steps 1 --json /tmp/tarball_mesh.json
mv "$root/opt/riffle" "$root/srv/moved"
elsewhere 'tarball, moved' /srv/moved/bin/riffle list --names
rm -r "$root/srv/moved"
mkdir -p "$root$FOLDER"
cp "$DEB" "$root$FOLDER"   # apt looks for the file outside, dpkg under the same name inside
'''
AFTER = COMMON + r'''
elsewhere 'deb' riffle run dam_break --steps 2 --json /tmp/deb.json
elsewhere 'deb, mesh' riffle run knot --steps 1 --json /tmp/deb_mesh.json
elsewhere 'deb, version' riffle --version
elsewhere 'deb, removed' dpkg --remove riffle
rm -r "$root$FOLDER"
find "$root/usr" -path '*riffle*' >"$FOLDER/left"
mv "$root"/tmp/*.json "$FOLDER"
'''


def skip(why):
    print(f'SKIPPED: {why}')
    sys.exit(0)


def last_line(text):
    return (text.strip().splitlines() or ['it said nothing'])[-1]


def main():
    folder = tempfile.mkdtemp(prefix='riffle-package-')
    os.chmod(folder, 0o755)  # apt reads the .deb as another user
    try:
        subprocess.run([CPACK, '-B', folder], cwd=BUILD, check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(os.path.join(folder, '_CPack_Packages'))
        debs, tarballs = (glob.glob(os.path.join(folder, '*' + end)) for end in ('.deb', '.tar.gz'))
        assert len(debs) == len(tarballs) == 1, os.listdir(folder)
        if not shutil.which('mmdebstrap'):
            skip('the packages are made, but mmdebstrap, which makes an empty Debian, is not installed')
        mode = ['--mode=root'] if os.geteuid() == 0 else []
        probe = subprocess.run(['mmdebstrap', *mode, '--simulate', '--variant=apt', 'bookworm', '/dev/null'],
                               capture_output=True, text=True)
        if probe.returncode != 0:
            skip(f'the packages are made, but mmdebstrap cannot make a Debian 12 here: {last_line(probe.stderr)}')
        hooks = []
        for stage, text in (('essential', BEFORE), ('customize', AFTER)):
            file = os.path.join(folder, stage)
            with open(file, 'w', encoding='utf-8') as script:
                script.write(text)
            os.chmod(file, 0o755)
            hooks.append(f'--{stage}-hook={file}')
        environment = {**os.environ, 'FOLDER': folder, 'TARBALL': tarballs[0], 'DEB': debs[0]}
        subprocess.run(['mmdebstrap', *mode, '--variant=apt', '--format=null', f'--include={debs[0]}', *hooks, 'bookworm', '-'],
                       env=environment, check=True)

        with open(os.path.join(folder, 'before'), encoding='utf-8') as text:
            before = set(text.read().split())
        assert before and not before & {'libtbb12', 'libglfw3', 'libx11-6', 'libassimp5'}, 'the Debian was not empty'
        for name, steps in (('tarball', 2), ('tarball_mesh', 1), ('deb', 2), ('deb_mesh', 1)):
            with open(os.path.join(folder, name + '.json'), encoding='utf-8') as text:
                assert json.load(text)['steps'] == steps, name
        with open(os.path.join(folder, 'left'), encoding='utf-8') as text:
            assert text.read() == '', 'files are left after the package was removed'
        with tarfile.open(tarballs[0]) as archive:
            names = archive.getnames()
        assert any('/lib/riffle/libtbb.so' in name for name in names), names
        assert not any('libc.so' in name or 'libstdc++' in name for name in names), names
        print('Both packages ran scenes in an empty Debian 12.')
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
