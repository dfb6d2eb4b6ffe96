# SPDX-License-Identifier: MIT
"""Measures the response times of `stamma serve` if its memory is limited, including the pages of files in the system's
cache.

usage: serve_limit.py STAMMA ARCHIVE GROUP [MEGABYTES...]     as root, for example with GROUP /sys/fs/cgroup/memory/serve

GROUP is the folder of a control group (version 1 or 2, Linux) that the script may make and change. The archive, which
must have an index file, and the index file are removed from the cache first: other programs must not have them mapped.
The readahead of the file system has a large influence (/sys/block/DEVICE/queue/read_ahead_kb).
"""
import os
import pathlib
import subprocess
import sys

import serve_load
import serve_names

MIXED = [{}, {"ratings": "2500"}, {"date": "2015-01.."}, {"date": "..2010-12", "ratings": "2200,2500"}, {"player": "A"}]


def forget(path):
    with open(path) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def start(stamma, archive, group, limit):
    """Starts the server in the group. Returns the process and its port."""
    old = group / "memory.limit_in_bytes"
    (old if old.exists() else group / "memory.max").write_text(str(limit))
    process = subprocess.Popen([stamma, "serve", "--port", "0", "-T", "2", archive], stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
    return process, int(process.stderr.readline().split("http://127.0.0.1:")[1].split("/")[0])


def measure(stamma, archive, group, megabytes, games):
    for path in (archive, archive + ".index"):
        forget(path)
    process, port = start(stamma, archive, group, megabytes * 1000000)
    serve_load.report("%d MB: first 20 plies" % megabytes,
                      [serve_load.ask(port, path) for path in serve_load.requests(games, 300, [{}])])
    serve_load.report("the same with filters", [serve_load.ask(port, path) for path in serve_load.requests(games, 300, MIXED)])
    print("MB: resident %.0f, of this anonymous %.0f, most resident %.0f" % tuple(serve_names.memory(process)), flush=True)
    process.terminate()
    process.wait()


def main():
    stamma, archive, group = sys.argv[1:4]
    group = pathlib.Path(group)
    group.mkdir(exist_ok=True)
    games = serve_load.lines(stamma, archive)
    for megabytes in sys.argv[4:] or ["1000", "150", "96", "64"]:
        measure(stamma, archive, group, int(megabytes), games)
    group.rmdir()


if __name__ == "__main__":
    main()
