#!/bin/bash
# SPDX-License-Identifier: MIT
# `stamma serve` sends the files of the page unchanged, with and without gzip, and with ETags. The page stays below its
# size limit.
# shellcheck source=tests/support/command_support.bash
. tests/support/command_support.bash
modules=$(scripts/setup --modules)
web=$(realpath web)
serve_folder
run 0 pack -q "$pgn" -o games.stamma
start_server games.stamma
checks=$((checks + 1))
python3 - "$address" "$web" "$modules" <<'PYTHON' || fail "files of the page" "$(cat log)"
import gzip
import os
import sys
import urllib.error
import urllib.request

MOST = 400000  # bytes that a browser receives for the complete page
address, web, modules = sys.argv[1:]


def ask(path, **headers):
    request = urllib.request.Request(address + path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


paths = [os.path.join(folder, name) for folder, _, names in os.walk(web) for name in names if name != "vendor.list"]
files = {os.path.relpath(path, web): path for path in paths}
with open(os.path.join(web, "vendor.list")) as lines:
    for words in (line.split() for line in lines if line.strip() and not line.startswith("#")):
        if os.path.exists(os.path.join(modules, words[0])):
            files[words[-1].lstrip("/")] = os.path.join(modules, words[0])
received = 0
for name, path in sorted(files.items()):
    with open(path, "rb") as file:
        content = file.read()
    status, body, headers = ask(name)
    assert (status, body, headers["Content-Encoding"]) == (200, content, None), name
    status, packed, packed_headers = ask(name, Accept_Encoding="deflate, gzip, br")
    assert (status, gzip.decompress(packed), packed_headers["Content-Encoding"]) == (200, content, "gzip"), name
    assert headers["Vary"] == packed_headers["Vary"] == "Origin, Accept-Encoding"
    assert headers["ETag"] != packed_headers["ETag"] and headers["Content-Type"] == packed_headers["Content-Type"], name
    received += len(packed)
assert received < MOST, "the page has %d bytes" % received
tag = packed_headers["ETag"]
assert ask(name, Accept_Encoding="gzip", If_None_Match=tag)[:2] == (304, b"")
assert ask(name, If_None_Match=tag)[0] == 200
for accepted, wanted in (("gzip", "gzip"), ("GZIP;q=0.5", "gzip"), ("br , gzip;q=1", "gzip"), ("gzip;q=0", None), ("gzip; q=0.000", None), ("x-gzip", None),
                         ("gzipped", None), ("", None), ("identity, br", None), ("br,gzip;q=0.01,x", "gzip")):
    assert ask("", Accept_Encoding=accepted)[2]["Content-Encoding"] == wanted, accepted
PYTHON
finish
