#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each file of `make install` is in the list of exactly one Debian package, or in debian/not-installed, and
that each entry of a list has files. debian/rules installs the Python package.

usage: debian_lists.py ROOT     ROOT contains usr, installed with PREFIX=ROOT/usr
"""
import fnmatch
import glob
import os
import sys

OPTIONAL = {"usr/lib/python3", "usr/lib/stamma/stamma_sqlite.so"}
# DuckDB is not a package of Debian, so its extension is never built there.
OTHER = {"usr/lib/stamma/stamma.duckdb_extension"}


def entries(path):
    """Returns the patterns of a list. A second word is the folder of the package."""
    with open(path, encoding="utf-8") as lines:
        return [line.split()[0].replace("/${DEB_HOST_MULTIARCH}", "") for line in lines if line.strip()]


def contains(pattern, name):
    return fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern + "/")


def main(root):
    names = {os.path.relpath(os.path.join(folder, file), root) for folder, _, files in os.walk(root) for file in files} - OTHER
    lists = {path: entries(path) for path in sorted(glob.glob("debian/*.install")) + ["debian/not-installed"]}
    errors = ["%s: no file is %s" % (path, pattern) for path, patterns in lists.items() for pattern in patterns
              if pattern not in OPTIONAL and not any(contains(pattern, name) for name in names)]
    for name in sorted(names):
        found = [path for path, patterns in lists.items() if any(contains(pattern, name) for pattern in patterns)]
        if len(found) != 1:
            errors.append("%s is in %s" % (name, " and ".join(found) or "no list of debian"))
    sys.stdout.writelines(error + "\n" for error in errors)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
