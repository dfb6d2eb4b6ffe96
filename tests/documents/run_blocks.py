# SPDX-License-Identifier: MIT
"""Runs the blocks of code of documents, and compares their output with the documents (page_blocks.py has the rules).

usage: run_blocks.py [--write] [--keep] [PAGE...]

Without PAGE: README.md and all pages of doc.
--write replaces the output in the pages by the output of the blocks. --keep keeps the folders of the pages.

Each page runs in a separate folder with games.pgn, which is data/games.pgn, and games.stamma, packed from it. Its blocks run
in order. Blocks of Python share their variables. A block of C with `main` is compiled and run; if it begins with
`/* NAME.c: ... */`, it is stored as NAME.c and compiled. Another block of C is compiled. Servers that a page starts run
until the end of the page.

environment: STAMMA (the command), BUILD, CC, and PYTHONPATH with the package and its modules.
"""
import concurrent.futures
import glob
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from page_blocks import KINDS, blocks_of, faults_of, set_up_of

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TIMEOUT = 120
PORT = "9002"  # the server's port in the documents
# What a block contains, and the test of whether this machine has it: a program or a module.
PROGRAMS = ("sqlite3", "par2", "minisign", "signify-openbsd", "rsync", "flock", "jq", "pgn-extract", "stockfish", "unzip", "zstd", "xz")
MODULES = ("duckdb", "pyarrow", "pandas", "polars", "numpy", "matplotlib", "chess", "torch", "pyspark", "datasets", "stamma")
C_FRAME = """#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stamma.h>
%s
void fragment(stamma_archive *archive, stamma_position position, stamma_position start, stamma_move move, const stamma_move *moves,
              size_t plies, const char *text, size_t size);
void fragment(stamma_archive *archive, stamma_position position, stamma_position start, stamma_move move, const stamma_move *moves,
              size_t plies, const char *text, size_t size)
{
    (void)archive, (void)position, (void)start, (void)move, (void)moves, (void)plies, (void)text, (void)size;
    {
%s
    }
}
"""


class Page:
    """The folder and the processes of a page."""

    def __init__(self, path, model):
        self.path, self.skipped, self.failures, self.ran = path, [], [], 0
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.document = file.read()
        self.home = tempfile.mkdtemp(prefix="page-")
        self.folder = os.path.join(self.home, "run")
        os.mkdir(self.folder)
        for name in ("games.pgn", "games.stamma"):
            shutil.copy(os.path.join(model, name), self.folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.environment = dict(os.environ, HOME=self.home, LC_ALL="C.UTF-8", TZ="UTC", STAMMA_PORT=self.port, SERVERS=self.home,
                                BUILD=os.path.realpath(os.environ.get("BUILD", "build")), PYTHONDONTWRITEBYTECODE="1")
        self.environment["PATH"] = os.path.join(HERE, "programs") + os.pathsep + self.environment["PATH"]
        self.python = None

    def command(self, arguments):
        with tempfile.TemporaryFile() as output:
            try:
                status = subprocess.run(arguments, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                                        stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False).returncode
            except subprocess.TimeoutExpired:
                status = "timeout"
            output.seek(0)
            return output.read().decode("utf-8", "replace") + ("" if status == 0 else "status %s\n" % status)

    def sh(self, text):
        # A server that a block starts in the background is the block's own to stop.
        self.environment["SERVE"] = "direct" if re.search(r"\bstamma serve\b[^\n]*&", text) else "background"
        return self.command(["bash", "-euc", text])

    def sql(self, text):
        return self.command(["stamma", "sql", "games.stamma", text])

    def c(self, text):
        name = re.match(r"/\* (\w+)\.c:", text)
        whole = re.search(r"\bmain\(", text)
        file = (name.group(1) if name else "block") + ".c"
        if not name and not whole:
            top = "".join(re.findall(r"^#.*\n", text, re.M))
            text = C_FRAME % (top, re.sub(r"^#.*\n", "", text, flags=re.M)) if not re.search(r"^\{", text, re.M) else C_FRAME % (text, "")
        with open(os.path.join(self.folder, file), "w", encoding="utf-8") as source:
            source.write(text)
        compiled = self.sh("cc -std=c11 -Wall -Wextra -Wno-unused -o block %s $(pkg-config %s stamma)" %
                           (file if whole else "-c " + file, "--cflags --libs" if whole else "--cflags"))
        return compiled or (self.command(["./block"]) if whole and not name else "")

    def start_python(self):
        self.python = subprocess.Popen([sys.executable, os.path.join(HERE, "python_session.py")], cwd=self.folder, env=self.environment,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_python(self, text):
        if self.python is None or self.python.poll() is not None:
            self.start_python()
        self.python.stdin.write(b"%d\n" % len(text.encode()) + text.encode())
        self.python.stdin.flush()
        output = bytearray()
        while not output.endswith(b"\0"):
            byte = self.python.stdout.read(1)
            if not byte:
                return output.decode() + "Python ended\n"
            output += byte
        return output[:-1].decode("utf-8", "replace")

    def run(self, block):
        text = block.text.replace(PORT, self.port)
        printed = (self.run_python if block.kind == "python" else getattr(self, block.kind))(text)
        return printed.replace("\r\n", "\n").replace(self.port, PORT)

    def end(self, keep):
        if self.python:
            self.python.stdin.close()
            self.python.wait()
        for file in glob.glob(os.path.join(self.home, "*.server")):
            with open(file, encoding="utf-8") as number:
                try:
                    os.kill(int(number.read()), signal.SIGTERM)
                except ProcessLookupError:
                    pass
        if keep:
            print(self.path + ": " + self.folder)
        else:
            shutil.rmtree(self.home, ignore_errors=True)


def missing(text, kind):
    """Returns what a block uses and this machine does not have."""
    if kind == "sh":
        programs = [path for path in re.findall(r"/usr/games/\w+", text) if not os.path.exists(path)]
        programs += ["tables of python-chess"] if "--syzygy" in text and not (has_module("chess") and has_command("tablebase")) else []
        programs += [name for name in PROGRAMS if re.search(r"(?:^|[|&;(!] *)%s\b" % name, text, re.M) and not shutil.which(name)]
        return programs + [name for name, option in (("SQLite", "sql"), ("nanoarrow", "export"), ("Fathom", "tablebase"))
                           if re.search(r"\bstamma %s\b" % option, text) and not has_command(option)]
    imports = re.findall(r"^\s*(?:import|from) (\w+)", text, re.M) + re.findall(r"^import .*, (\w+)", text, re.M)
    extension = ["make duckdb"] if ".duckdb_extension" in text and not os.path.exists(extension_of_duckdb()) else []
    return extension + [name for name in MODULES if kind == "python" and name in imports and not has_module(name)]


def extension_of_duckdb():
    return os.path.join(os.environ["BUILD"], "stamma.duckdb_extension")


def has_module(name):
    return importlib.util.find_spec(name) is not None


def has_command(name, known={}):
    if name not in known:
        text = subprocess.run([os.environ["STAMMA"], name, "--help"], capture_output=True, text=True, check=False).stdout
        known[name] = not text.startswith("Not available")
    return known[name]


def check(page, block):
    """Runs a block. Returns its output, or None if the document does not change."""
    if block.kind not in KINDS or block.rule == "not run":
        return None
    lacking = missing(block.text, block.kind)
    if lacking:
        page.skipped.append("%s:%d needs %s" % (page.path, block.line, ", ".join(lacking)))
        return None
    printed = page.run(block)
    page.ran += 1
    if printed and not printed.endswith("\n"):
        printed += "\n"  # a document cannot show that the last line has no end
    failed = "\nstatus " in "\n" + printed or printed.endswith("Error\n")
    if block.rule == "output varies":
        if failed and printed != block.expected:
            page.failures.append("%s:%d:\n%sprints:\n%s" % (page.path, block.line, block.text, printed))
        return None
    if printed == (block.expected or ""):
        return None
    page.failures.append("%s:%d: this block:\n%sprints:\n%sand not:\n%s" % (page.path, block.line, block.text, printed, block.expected or ""))
    return printed


def run_page(path, model, write, keep):
    page = Page(path, model)
    try:
        page.failures += ["%s:%s" % (path, fault) for fault in faults_of(page.document)]
        set_up = page.sh(set_up_of(page.document))
        if set_up:
            page.failures.append("%s: the set-up prints:\n%s" % (path, set_up))
        changes = [(block, check(page, block)) for block in blocks_of(page.document)]
        for block, printed in reversed(changes if write else []):
            if printed is not None:
                first, last = block.output_span
                new = "\n```text\n%s```\n" % printed if printed else ""
                page.document = page.document[:first] + new + page.document[last:]
        if write:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(page.document)
    finally:
        page.end(keep)
    return page


def pages():
    return ["README.md"] + sorted(glob.glob("doc/**/*.md", root_dir=ROOT, recursive=True))


def main():
    options = {word for word in sys.argv[1:] if word.startswith("-")}
    paths = [os.path.relpath(word, ROOT) for word in sys.argv[1:] if not word.startswith("-")] or pages()
    model = tempfile.mkdtemp()
    shutil.copy(os.path.join(ROOT, "data", "games.pgn"), model)
    subprocess.run([os.environ["STAMMA"], "pack", "-q", "games.pgn"], cwd=model, check=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda path: run_page(path, model, "--write" in options, "--keep" in options), paths))
    shutil.rmtree(model)
    for text in (text for page in done for text in page.failures + page.skipped):
        print(text)
    failed = sum(len(page.failures) for page in done)
    print(len(done), "pages,", sum(page.ran for page in done), "blocks,", failed, "failed,", sum(len(page.skipped) for page in done), "skipped")
    sys.exit(failed > 0)


main()
