# SPDX-License-Identifier: MIT
"""Measures how long Python programs need for the columns of games: from an archive, from Parquet files with the same
columns, and from PGN.

usage: columns_peers.py FILE     an archive or PGN; run by columns_speed.sh

Prints medians of five runs of elapsed time, and the sizes of the files. The archive is read by one thread, and by all;
Polars, DuckDB and rust-pgn-reader-python-binding use all threads. python-chess reads the first 2,000 games, and its time is
multiplied. Programs that are not installed are omitted.
"""
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:
    sys.exit("columns_peers: pyarrow is not installed")
import stamma

ROUNDS, CHESS_GAMES = 5, 2000
STAMMA = os.path.join(os.environ.get("BUILD", "build"), "stamma")


def median(work, rounds=ROUNDS):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def show(name, seconds, size=None):
    print("  %-58s %8.3f s%s" % (name, seconds, "" if size is None else "  %11d bytes" % size))


def split(pgn, most=None):
    """Returns the games of a PGN as texts."""
    parts = pgn.split("\n[Event ")
    games = [parts[0]] + ["[Event " + part for part in parts[1:]]
    return games[:most]


def read_batches(archive, names, threads):
    for _ in pyarrow.RecordBatchReader.from_stream(archive.games(names, threads=threads)):
        pass


def measure_archive(archive, names, what, size):
    """Measures with one thread and with all."""
    for threads, text in ((1, "1 thread"), (0, "all threads")):
        show("Stamma, archive, %s: %s" % (text, what), median(lambda: read_batches(archive, names, threads)), size)


def measure_parquet(name, table, folder):
    path = os.path.join(folder, name + ".parquet")
    pyarrow.parquet.write_table(table, path, compression="zstd")
    size = os.path.getsize(path)
    try:
        import polars
        show("Polars, Parquet: " + name, median(lambda: polars.read_parquet(path)), size)
    except ImportError:
        print("  Polars is not installed")
    try:
        import duckdb
        query = "SELECT * FROM read_parquet('%s')" % path
        show("DuckDB, Parquet: " + name, median(lambda: duckdb.sql(query).to_arrow_table()), size)
    except ImportError:
        print("  DuckDB is not installed")


def measure_pgn(pgn):
    try:
        import rust_pgn_reader_python_binding as rust
        games = pyarrow.chunked_array([pyarrow.array(split(pgn))])
        show("rust-pgn-reader-python-binding, PGN: tags and moves", median(lambda: rust.parse_games(games)), len(pgn))
    except ImportError:
        print("  rust-pgn-reader-python-binding is not installed")
    try:
        import chess.pgn
    except ImportError:
        print("  python-chess is not installed")
        return
    games = split(pgn)
    some = "\n".join(games[:CHESS_GAMES])
    scale = len(games) / min(len(games), CHESS_GAMES)

    def read(reader):
        stream = io.StringIO(some)
        while reader(stream):
            pass
    show("python-chess, PGN: tags", scale * median(lambda: read(chess.pgn.read_headers), 3), len(pgn))
    show("python-chess, PGN: tags and moves", scale * median(lambda: read(chess.pgn.read_game), 1), len(pgn))


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        archive_path = path
        if not path.endswith(".stamma"):
            archive_path = os.path.join(folder, "games.stamma")
            subprocess.run([STAMMA, "pack", "-q", "-o", archive_path, path], check=True)
        pgn = subprocess.run([STAMMA, "unpack", "-q", "-o", "-", archive_path], stdout=subprocess.PIPE,
                             check=True).stdout.decode("utf-8", "replace")
        print("%s, elapsed time" % os.path.basename(path))
        archive, size = stamma.open(archive_path), os.path.getsize(archive_path)
        for names, what in ((None, "tags and typed columns"), (["moves"], "moves")):
            measure_archive(archive, names, what, size)
            measure_parquet(what, pyarrow.table(archive.games(names)), folder)
        measure_pgn(pgn)


main(sys.argv[1])
