# SPDX-License-Identifier: MIT
"""Builds the extension module. GNU make builds the library, with the Makefile of the repository.

Environment:
  STAMMA_LIBRARY   path of a libstamma.a that is already built
  STAMMA_STATIC=1  includes zstd, bzip2 and xxHash, for a wheel

For releases (scripts/release/release.mk), whose modules are compiled for other systems:
  STAMMA_MODULE    path of the extension module, which is already built
  STAMMA_PLATFORM  the platform tag of the wheel, such as macosx_11_0_arm64
  STAMMA_NOTICES   path of a file with the licences of the libraries in the module
  SOURCE_DATE_EPOCH  the time of all files in the source distribution, and in a wheel
"""
import atexit
import glob
import gzip
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
# A source distribution contains the library in this folder.
COPY = os.path.join(HERE, "library")
ROOT = COPY if os.path.exists(COPY) else os.path.dirname(HERE)
# The package is built in an empty folder. Otherwise, files of an earlier build with other options would be packed. Only
# the library is kept for the next build: it is the same with all options.
BUILD = tempfile.mkdtemp(prefix="stamma-build-")
atexit.register(shutil.rmtree, BUILD, ignore_errors=True)
LIBRARY = os.path.join(HERE, "build", "library")
STATIC = os.environ.get("STAMMA_STATIC") == "1"
MODULE = os.environ.get("STAMMA_MODULE")
LIBRARIES = ["zstd", "xxhash", "bz2"]
# Debian's static libbz2 cannot be part of a shared object, so the wheel contains the shared one.
BZIP2 = "libbz2.so.1.0"
# Debian's files with the licences of the libraries that the wheel contains. Their licences require these texts.
LICENSES = {name: "/usr/share/doc/" + package + "/copyright"
            for name, package in (("zstd", "libzstd-dev"), ("bzip2", "libbz2-1.0"), ("xxHash", "libxxhash-dev"))}


def version():
    with open(os.path.join(ROOT, "include", "stamma", "base.h"), encoding="utf-8") as header:
        return re.search(r'^#define STAMMA_VERSION "(.*)"', header.read(), re.M).group(1)


def newest_glibc(folder):
    """Returns the newest version of glibc whose symbols the shared objects in a folder use. They need at least this
    version. The names of these versions are strings in a shared object, such as "GLIBC_2.34"."""
    versions = [(2, 17)]
    for path in glob.glob(os.path.join(folder, "**", "*.so*"), recursive=True):
        with open(path, "rb") as file:
            versions += [tuple(map(int, found)) for found in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", file.read())]
    return max(versions)


class BuildExtension(build_ext):
    def make_library(self):
        library = os.path.join(LIBRARY, "libstamma.a")
        make = shutil.which("gmake") or shutil.which("make")
        if not make:
            sys.exit("GNU make is needed to build the library of stamma")
        jobs = str(os.cpu_count() or 1)
        subprocess.check_call([make, "-j", jobs, "-C", ROOT, "BUILD=" + LIBRARY, library])
        return library

    def get_ext_filename(self, fullname):
        if MODULE:
            return os.path.join(*fullname.split(".")[:-1], os.path.basename(MODULE))
        return super().get_ext_filename(fullname)

    def build_extension(self, extension):
        if MODULE:
            place = self.get_ext_fullpath(extension.name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copyfile(MODULE, place)
            return
        extension.extra_objects = [os.environ.get("STAMMA_LIBRARY") or self.make_library()]
        # Paths of sources are relative to this folder. The headers are in the folders of the library.
        extension.include_dirs = [os.path.join(ROOT, "include"), os.path.join(ROOT, "bindings")]
        if STATIC:  # no paths of this machine in the wheel
            linker = self.compiler.linker_so
            self.compiler.linker_so = [word for word in linker if not word.startswith(("-L", "-Wl,-rpath"))]
        super().build_extension(extension)
        if STATIC:
            compiler = os.environ.get("CC", "cc").split()
            path = subprocess.check_output([*compiler, "-print-file-name=" + BZIP2], text=True).strip()
            shutil.copy(path, os.path.join(os.path.dirname(self.get_ext_fullpath(extension.name)), BZIP2))


class SourceDistribution(sdist):
    """Copies the sources of the library into the distribution."""

    def make_archive(self, base_name, format, *arguments, **options):
        """Writes a file that depends only on the contents and SOURCE_DATE_EPOCH, if the latter is set."""
        folder, epoch = options.get("base_dir"), os.environ.get("SOURCE_DATE_EPOCH")
        if format != "gztar" or not epoch:
            return super().make_archive(base_name, format, *arguments, **options)

        def plain(item):
            item.mtime, item.uid, item.gid, item.uname, item.gname = int(epoch), 0, 0, "", ""
            item.mode = 0o755 if item.isdir() or item.mode & 0o100 else 0o644
            return item

        with open(base_name + ".tar.gz", "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=int(epoch)) as packed, \
                tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            archive.add(folder, filter=plain)  # names in alphabetical order
        return base_name + ".tar.gz"

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        into = os.path.join(base_dir, "library")
        if os.path.exists(into):
            shutil.rmtree(into)
        os.makedirs(into)
        for folder in ("src", "include", os.path.join("bindings", "threads")):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(into, folder))
        for name in ("Makefile", "LICENSE"):
            shutil.copy(os.path.join(ROOT, name), into)


commands = {"build_ext": BuildExtension, "sdist": SourceDistribution}
try:
    try:
        from setuptools.command.bdist_wheel import bdist_wheel
    except ImportError:
        from wheel.bdist_wheel import bdist_wheel

    class Wheel(bdist_wheel):
        """The extension uses only the limited API, so one wheel works with all versions of Python."""

        def get_tag(self):
            python, abi, system = super().get_tag()
            system = os.environ.get("STAMMA_PLATFORM", system)
            if STATIC and system.startswith("linux_") and platform.libc_ver()[0] == "glibc":
                system = "manylinux_%d_%d_" % newest_glibc(self.bdist_dir) + system[len("linux_"):]
            return ("cp39", "abi3", system) if python.startswith("cp") else (python, abi, system)

        def egg2dist(self, egginfo_path, distinfo_path):
            """Adds the licences of Stamma and of the libraries that the wheel contains."""
            super().egg2dist(egginfo_path, distinfo_path)
            folder = os.path.join(distinfo_path, "licenses")
            os.makedirs(folder, exist_ok=True)
            shutil.copy(os.path.join(ROOT, "LICENSE"), folder)
            if os.environ.get("STAMMA_NOTICES"):
                shutil.copyfile(os.environ["STAMMA_NOTICES"], os.path.join(folder, "THIRD_PARTY.txt"))
            for name, path in LICENSES.items() if STATIC else ():
                if not os.path.exists(path):
                    sys.exit("the licence of " + name + " is needed for a wheel, but there is no " + path)
                shutil.copy(path, os.path.join(folder, name + ".txt"))

    commands["bdist_wheel"] = Wheel
except ImportError:
    pass  # a source distribution does not need it


links = ["-l" + name for name in LIBRARIES]
if STATIC:
    links = ["-l:libzstd.a", "-l:libxxhash.a", "-l:" + BZIP2, "-Wl,-rpath,$ORIGIN", "-Wl,--strip-debug"]
setup(
    version=version(),
    ext_modules=[
        Extension(
            "stamma._stamma",
            sources=[*sorted(os.path.relpath(path, HERE) for path in glob.glob(os.path.join(HERE, "extension", "*.c"))),
                     "extension/system/windows_extension.c" if os.name == "nt" else "extension/system/posix_extension.c"],
            depends=["extension/ext.h", "extension/ext_system.h"],
            extra_compile_args=["-std=c11", "-fvisibility=hidden"],
            extra_link_args=links + ["-lpthread", "-Wl,--exclude-libs,ALL"],
            define_macros=[("Py_LIMITED_API", "0x03090000"), ("_POSIX_C_SOURCE", "200809L")],
            py_limited_api=True,
        )
    ],
    cmdclass=commands,
    options={"build": {"build_base": BUILD}},
)
