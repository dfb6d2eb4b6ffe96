# SPDX-License-Identifier: MIT
"""Tests /uploads of stamma serve. The folder contains the files that tests/serve/serve_uploads.sh writes, and the folder up."""
import bz2
import gzip
import io
import json
import lzma
import os
import random
import signal
import socket
import subprocess
import threading
import time
import urllib.parse
import zipfile

from serve_client import Checks, Server

PATIENCE = 60  # seconds to wait for a condition
OWN = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/octet-stream"}
MEBI = 1 << 20
check = Checks()


def read(name):
    with open(name, "rb") as file:
        return file.read()


def stamma(*arguments):
    return subprocess.run([os.environ["STAMMA"], *arguments], capture_output=True, check=True).stdout


def send(server, body, name="games.pgn", headers=None, method="POST", path="/uploads"):
    return server.ask(path + "?" + urllib.parse.urlencode({"name": name}), method, body, OWN if headers is None else headers)


def close(server, number):
    return server.ask("/uploads/%s" % number, "DELETE", headers=OWN)


def uploaded(server):
    return [one for one in server.ask("/archives").json if one["uploaded"]]


def files():
    """Returns the names of all files in the folder of uploads, below the folder of the server."""
    return sorted(os.path.join(place.split("/", 2)[2] if place.count("/") > 1 else "", name) for place, _, names in os.walk("up") for name in names)


def folders():
    return sum(len(inner) for _, inner, _ in os.walk("up"))


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="utf-8") as file:
        found = file.read().split()
    for task in os.listdir("/proc/%d/task" % pid):
        try:
            with open("/proc/%d/task/%s/children" % (pid, task), encoding="utf-8") as file:
                found += file.read().split()
        except OSError:
            pass
    return sorted(set(found))


def complete(server, what):
    """Each folder of an upload contains a served archive and its index; no process is left."""
    served = len(uploaded(server))
    check.wait(lambda: not children(server.process.pid), what + ": no process")
    names = files()
    check.equal([sum(one.endswith(end) for one in names) for end in (".stamma", ".index", "")], [served, served, 2 * served], what + ": files %s" % names)
    check.equal(folders(), 1 + served, what + ": folders")


RESULTS = ("white", "draws", "black")


def results(server, archive):
    answer = server.ask("/lichess", moves=0, archive_number=archive).json
    return [answer[key] for key in RESULTS]


def chosen(server):
    """Uploaded archives are in an answer only if the request chooses them, or if there are no others."""
    every = server.ask("/archives").json
    alone = {one["number"]: results(server, one["number"]) for one in every}
    summed = lambda numbers: [sum(alone[number][i] for number in numbers) for i in range(len(RESULTS))]
    named = [one["number"] for one in every if not one["uploaded"]]
    check.that(len(named) == 1 and len(every) > 3, "archives of both kinds")
    check.equal(results(server, None), summed(named), "without a choice: the archives that the command names")
    for numbers in (list(alone), list(alone)[:2], [3, 1, 1]):
        check.equal(results(server, ",".join(map(str, numbers))), summed(set(numbers)), "the archives %s" % numbers)
    game = server.ask("/find", archive=every[1]["number"], limit=1).json["games"][0]["id"]
    check.equal([server.ask("/%s/%s" % (path, game)).status for path in ("game", "novelty")], [200, 200], "a game of an uploaded archive")


# ---- packed files ----

def truth(server):
    """The archive has the bytes of the file, and its games are served."""
    text = read("games.pgn")
    packed = read("games.stamma")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("games.pgn", text)
    many = read("many.pgn")
    long_tag = b'[Event "' + b"x" * (5 * MEBI) + b'"]\n\n1. e4 e5 *\n\n' + text
    for name, body, wanted in (("a.pgn", text, text), ("a.pgn.gz", gzip.compress(text), text), ("a.bz2", bz2.compress(text), text), ("a.xz", lzma.compress(text), text),
                               ("a.zip", zipped.getvalue(), text), ("a.stamma", packed, text), ("many.pgn", many, many), ("long.pgn", long_tag, long_tag)):
        answer = send(server, body, name)
        check.equal(answer.status, 200, name + ": status")
        made = answer.json
        with open("got.stamma", "wb") as file:
            file.write(server.ask("/uploads/%d" % made["number"]).body)
        check.that(stamma("unpack", "-o", "-", "got.stamma") == wanted, name + ": its bytes")
        check.equal((made["name"], made["games"]), (name, json.loads(stamma("info", "--json", "got.stamma"))["games"]), name + ": name and games")
        listed = next(one for one in server.ask("/archives").json if one["number"] == made["number"])
        check.equal((listed["name"], listed["games"], listed["index"], listed["uploaded"]), (name, made["games"], "file", True), name + ": in the list")
        if wanted is text:
            check.that(read("got.stamma") == packed, name + ": the archive of the command")
            check.equal(made["games"], text.count(b'[Event "'), name + ": number of games")
        tree = json.loads(stamma("tree", "--json", "got.stamma"))["moves"]
        moves = server.ask("/lichess", archive=made["number"], moves=100).json["moves"]
        check.equal([(one["uci"], one["games"]) for one in moves], [(one["uci"], one["sums"]["games"]) for one in tree], name + ": moves")
        game = server.ask("/game/1", archive=made["number"]).json
        pgn = server.ask("/game/%s" % game["id"], format="pgn").body
        check.that(pgn and wanted.startswith(pgn), name + ": its first game")
    total = sum(one["games"] for one in server.ask("/archives").json)
    check.equal(server.ask("/health").json["games"], total, "games of all archives")
    chosen(server)
    complete(server, "after packing")


def messages(server):
    """The answer contains the output of the command, without the names of files."""
    wanted = []
    for line in read("sample.err").decode("latin-1").splitlines():
        line = line.removeprefix("stamma: ")
        line = line.removeprefix("sample.pgn: ").removeprefix("sample.stamma: ")
        wanted.append(line.replace(" sample.pgn line", " line"))
    answer = send(server, read("sample.pgn"), "sample.pgn").json
    check.equal(answer["messages"], wanted, "messages")
    check.that(any("line 57" in one and "game 5" in one for one in wanted), "a message has line and game", wanted)
    check.equal(close(server, answer["number"]).status, 200, "closed")


def names(server):
    """Names are shown, and are never paths."""
    for given, wanted in (("../../etc/passwd", "passwd"), ("a/b\\c.pgn", "c.pgn"), ("..", "games.pgn"), (".", "games.pgn"), ("", "games.pgn"), ("x/", "games.pgn"),
                          ("a\nb\x01\x7f.pgn", "a_b__.pgn"), ("Müller ♞.pgn", "Müller ♞.pgn"), ("<b>&amp;.pgn", "<b>&amp;.pgn"), ("-o x; rm -rf $HOME", "-o x; rm -rf $HOME"),
                          ("é" * 80 + ".pgn", "é" * 50), ("x" * 3000, "x" * 100), ('a"b.pgn', 'a"b.pgn')):
        before = sorted(os.listdir(".") + os.listdir("up"))
        answer = send(server, read("sample.pgn"), given)
        check.equal((answer.status, answer.json.get("name")), (200, wanted), "the name %.40r" % given)
        got = server.ask("/uploads/%d" % answer.json["number"])
        stem = wanted[:-4] if wanted.endswith(".pgn") else wanted
        check.equal(urllib.parse.unquote(got.headers["content-disposition"].split("''")[1]), stem + ".stamma", "the name of the saved file of %.40r" % given)
        check.that("\n" not in got.headers["content-disposition"], "a header of one line")
        check.equal(sorted(os.listdir(".") + os.listdir("up")), before, "files beside the folder after %.40r" % given)
        close(server, answer.json["number"])
    answer = server.ask("/uploads", "POST", read("sample.pgn"), OWN)
    check.equal(answer.json["name"], "games.pgn", "without a name")
    close(server, answer.json["number"])
    complete(server, "after names")


# ---- rejected files ----

def invalid(server):
    before = server.ask("/archives").json
    packed, random_bytes = read("games.stamma"), random.Random(28).randbytes(30000)
    damaged = packed[:3000] + b"\0\0\0\0" + packed[3004:]
    empty = read("empty.stamma")
    for body, status, words in ((b"", 400, "empty"), (b"\n\n", 422, "no game with moves"), (b"hello", 422, "no game with moves: line 1, game 1"), (b"x", 422, "no game"),
                                (random_bytes, 422, "no game with moves: line 1, game 1"), (b'[Event "x"]\n\n*\n', 422, "no game with moves"), (empty, 422, "no game with moves"),
                                (gzip.compress(read("games.pgn"))[:2000], 422, "gzip data at byte 2000: it ends too early"), (b"7z\xBC\xAF\x27\x1C" + random_bytes, 422, "is a 7z archive"),
                                (b"PK\x03\x04" + random_bytes, 422, "zip"), (packed[:3000], 422, "cannot be indexed"), (damaged, 422, "damaged"), (packed[:8], 422, ""),
                                (b"\x8DStamma\n" + random_bytes, 422, "")):
        answer = send(server, body, "bad.pgn")
        check.equal(answer.status, status, "status of %r" % body[:20])
        check.that(words in answer.json["error"], "the error of %r" % body[:20], answer.json)
        check.that("/" not in answer.json["error"].replace("1/2", "") and "--raw" not in answer.json["error"], "no path in the error", answer.json)
    check.equal(server.ask("/archives").json, before, "the archives after invalid files")
    complete(server, "after invalid files")
    for path, method, status in (("/uploads", "GET", 404), ("/uploads", "DELETE", 404), ("/uploads/x", "DELETE", 404), ("/uploads/0", "DELETE", 404), ("/uploads/99", "DELETE", 404),
                                 ("/uploads/99999", "GET", 404), ("/uploads/99", "GET", 404), ("/uploads/0", "GET", 404), ("/uploads/1", "POST", 405), ("/uploads/-1", "GET", 404),
                                 ("/uploads", "PUT", 405), ("/lichess", "DELETE", 405), ("/", "DELETE", 405)):
        check.equal(server.ask(path, method, None, OWN).status, status, "%s %s" % (method, path))
    check.equal(send(server, read("sample.pgn"), "x" * 14000).status, 414, "a long name")
    head = b"POST /uploads HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: none\r\nContent-Type: application/octet-stream\r\n"
    for rest in (b"\r\n", b"X: " + b"y" * 20000 + b"\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", b"Content-Length: -5\r\n\r\nhello",
                 b"Content-Length: 99999999999999999999\r\n\r\nhello"):
        check.that(server.raw(head + rest).split(b" ")[1:2] in ([b"400"], [b"411"], [b"413"], [b"431"]), "the head %r" % rest[:40])
    complete(server, "after invalid requests")


def origins(server, cors):
    """Pages of other sites can neither send, read nor close uploads, even with --cors."""
    number = send(server, read("sample.pgn")).json["number"]
    own = "http://127.0.0.1:%d" % server.port
    before = server.ask("/archives").json
    for headers, status in (({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403), ({"Sec-Fetch-Site": ""}, 403), ({"Sec-Fetch-Site": None}, 403),
                            ({"Origin": "https://evil.example"}, 403), ({"Origin": "https://lichess.org"}, 403), ({"Origin": "null"}, 403), ({"Host": "evil.example"}, 403),
                            ({"Content-Type": "text/plain"}, 415), ({"Content-Type": "application/x-www-form-urlencoded"}, 415), ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
                            ({"Content-Type": "application/octet-stream; charset=x"}, 415), ({"Content-Type": None}, 415)):
        sent = {name: value for name, value in dict(OWN, **headers).items() if value is not None}
        check.equal(send(server, read("sample.pgn"), headers=sent).status, status, "sent with %s" % headers)
        if status == 403:
            check.equal(server.ask("/uploads/%d" % number, "DELETE", headers=sent).status, 403, "closed with %s" % headers)
            wanted = dict(sent, **{"Access-Control-Request-Method": "POST"})
            check.equal(server.ask("/uploads", "OPTIONS", headers=wanted).status, 403, "asked with %s" % headers)
    check.equal(server.ask("/archives").json, before, "the archives")
    check.equal(server.ask("/uploads/%d" % number, headers={"Origin": "https://evil.example"}).status, 200 if cors else 403, "read by another site")
    answer = send(server, read("sample.pgn"), headers=dict(OWN, Origin=own))
    check.equal(answer.status, 200, "sent by the page")
    for one in (number, answer.json["number"]):
        check.equal(close(server, one).status, 200, "closed by the page")


# ---- limits, interruptions ----

def begin(server, size, body, name="slow.pgn"):
    """Sends a part of a file on a new connection."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    connection.sendall(b"POST /uploads?name=%s HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: none\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n"
                       % (name.encode(), size) + body)
    return connection


def rest(connection, body):
    """Sends the remaining bytes, and returns status and answer."""
    connection.sendall(body)
    file = connection.makefile("rb")
    status, length = int(file.readline().split()[1]), 0
    while (line := file.readline().strip().lower()):
        length = int(line.split(b":")[1]) if line.startswith(b"content-length") else length
    answer = json.loads(file.read(length))
    connection.close()
    return status, answer


def cut(server):
    """An upload whose client disconnects leaves no file."""
    many = read("many.pgn")
    before = server.ask("/archives").json
    for sent in (0, 5, 9, 1000, len(many) // 2, len(many) - 1):
        connection = begin(server, len(many), many[:sent])
        time.sleep(0.05)
        connection.close()
    check.wait(lambda: folders() == 1 + len(uploaded(server)), "no folder is left")
    connection = begin(server, len(many), many[:1000])
    connection.shutdown(socket.SHUT_WR)
    check.that(b" 400 " in connection.recv(64), "an answer to a file that is cut short")
    connection.close()
    half = read("many.stamma")[:2000]
    begin(server, len(half) * 2, half).close()
    check.wait(lambda: not files() or len(files()) == 2 * len(uploaded(server)), "cut files are deleted")
    check.equal(server.ask("/archives").json, before, "the archives after cut connections")
    for _ in range(4):  # complete files whose clients do not wait for the answer
        begin(server, len(many), many).close()
        time.sleep(0.1)
        check.wait(lambda: not children(server.process.pid), "no process")
    time.sleep(0.2)
    complete(server, "after clients that did not wait")
    for one in uploaded(server):
        close(server, one["number"])
    complete(server, "after cut connections")


def together(server):
    """Two files are packed at once; a third file has to wait. Searches are answered at the same time."""
    many, text = read("many.pgn"), read("games.pgn")
    one, other = begin(server, len(many), many[:100000], "one.pgn"), begin(server, len(text), text[:10000], "other.pgn")
    check.wait(lambda: len(children(server.process.pid)) == 2, "two processes")
    third = send(server, text, "third.pgn")
    check.equal((third.status, third.headers.get("retry-after")), (503, "1"), "a third file")
    check.equal(server.ask("/lichess", archive=0).status, 200, "a search beside them")
    results = [rest(one, many[100000:]), rest(other, text[10000:])]
    check.equal([(status, answer["name"]) for status, answer in results], [(200, "one.pgn"), (200, "other.pgn")], "both files")
    for (_, answer), wanted in zip(results, (many, text)):
        with open("got.stamma", "wb") as file:
            file.write(server.ask("/uploads/%d" % answer["number"]).body)
        check.that(stamma("unpack", "-o", "-", "got.stamma") == wanted, "bytes of " + answer["name"])
        close(server, answer["number"])
    threads, seen = [], []
    for _ in range(6):
        threads.append(threading.Thread(target=lambda: seen.append(send(server, text).status)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    check.that(set(seen) <= {200, 503} and seen.count(200) == len(uploaded(server)) >= 2, "six at once", seen)
    for one in uploaded(server):
        close(server, one["number"])
    complete(server, "after files at the same time")


def number(server):
    """There are at most 16 uploads. A number is never used again, and a closed upload is deleted."""
    text, made = read("sample.pgn"), []
    while len(made) < 16:
        made.append(send(server, text).json["number"])
    check.equal(len(set(made)), 16, "different numbers")
    answer = send(server, text)
    check.equal((answer.status, answer.json["error"]), (409, "16 uploaded archives are open: close one first"), "a further upload")
    game = server.ask("/game/1", archive=made[3]).json["id"]
    check.equal(close(server, made[3]).status, 200, "close one")
    check.equal([close(server, made[3]).status, server.ask("/game/" + game).status, server.ask("/lichess", archive=made[3]).status, server.ask("/uploads/%d" % made[3]).status],
                [404] * 4, "a closed archive")
    check.that(game.encode() not in server.ask("/find", limit=200).body, "games of a closed archive are not found")
    again = send(server, text).json["number"]
    check.that(again > max(made), "a new number", again, made)
    check.equal([one["number"] for one in uploaded(server)], sorted([one for one in made if one != made[3]] + [again]), "the list")
    check.equal(server.ask("/health").json["status"], "ok", "health")
    for one in uploaded(server):
        close(server, one["number"])
    complete(server, "after closing all")


def limits():
    """--upload-limit limits each file and all archives together, for compressed files, too."""
    server = Server("--uploads", "up", "--upload-limit", "1M", "games.stamma")
    check.equal(server.ask("/health").json["uploads"], {"limit": MEBI, "archives": 16}, "limits in /health")
    noise = random.Random(1)
    comment = "".join(noise.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(MEBI))
    game = '[Event "%s"]\n\n1. e4 {%s} e5 *\n\n'
    answer = send(server, (game % ("x", comment)).encode())
    check.equal((answer.status, "--upload-limit" in answer.json["error"]), (413, True), "a file above the limit")
    half = (game % ("z", comment[:1000000])).encode()
    first = send(server, half)
    check.equal([first.status, send(server, half).status], [200, 413], "the sum of archives")
    complete(server, "after the limit of all")
    check.equal([close(server, first.json["number"]).status, send(server, half).status], [200, 200], "after closing one")
    check.equal(server.stop(), 0, "end")
    check.equal(os.listdir("up"), [], "files after the end")
    alone()


def no_room():
    """A file that cannot be written is an error, and no file is left. ulimit limits the size of files."""
    with open("limited", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nulimit -f 60\nexec "%s" "$@"\n' % os.environ["STAMMA"])
    os.chmod("limited", 0o755)
    real, os.environ["STAMMA"] = os.environ["STAMMA"], os.path.abspath("limited")
    server = Server("--uploads", "up")
    os.environ["STAMMA"] = real
    noise = random.Random(2)
    text = ('[Event "x"]\n\n1. e4 {%s} e5 *\n' % "".join(noise.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(500000))).encode()
    answer = send(server, text)
    check.that(answer.status == 422 and "File too large" in answer.json["error"], "no room for packing", answer.body)
    with open("large.pgn", "wb") as file:
        file.write(text)
    stamma("pack", "-q", "large.pgn")
    answer = send(server, read("large.stamma"))
    check.that(answer.status == 500 and "File too large" in answer.json["error"], "no room for an archive", answer.body)
    complete(server, "without room")
    check.equal(send(server, read("sample.pgn")).status, 200, "a small file")
    check.equal(server.stop(), 0, "end")


def ends():
    """The server deletes its files when it ends, also while a file is packed, and leaves no process."""
    many = read("many.pgn")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and then a server does, too
    for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        server = Server("--uploads", "up")
        check.equal(server.ask("/archives").json, [], "no archive at first")
        check.equal(send(server, many).status, 200, "one file")
        connection = begin(server, len(many), many[:200000])
        check.wait(lambda: children(server.process.pid), "a process")
        running = children(server.process.pid)
        server.process.send_signal(how)
        check.equal(server.process.wait(PATIENCE), 0, "exit status after signal %d" % how)
        check.equal(os.listdir("up"), [], "files after signal %d" % how)
        check.equal([one for one in running if os.path.exists("/proc/" + one)], [], "processes after signal %d" % how)
        connection.close()


def alone():
    """Without other archives, the uploaded ones are asked. The version of an archive is new after each change."""
    server = Server("--uploads", "up")
    first, second = (send(server, read("games.pgn"), name).json for name in ("a.pgn", "b.pgn"))
    check.equal(results(server, None), [2 * one for one in results(server, first["number"])], "all uploaded archives")
    versions = [one["version"] for one in server.ask("/archives").json]
    check.equal(len(set(versions)), 2, "versions")
    check.equal(close(server, second["number"]).status, 200, "closing")
    answer = server.ask("/lichess", archive_number="%d,%d" % (first["number"], second["number"]))
    check.equal((answer.status, answer.json["error"]), (404, "archive: the uploaded archive %d was closed" % second["number"]), "a choice with a closed archive")
    check.equal([one["version"] for one in server.ask("/archives").json], versions[:1], "the version of the other archive")
    check.equal(server.stop(), 0, "end")


def off():
    server = Server("games.stamma")
    check.equal(server.ask("/health").json["uploads"], None, "uploads are off")
    answer = send(server, read("sample.pgn"))
    check.equal((answer.status, answer.json["error"]), (404, "uploads are off; see --uploads"), "without --uploads")
    check.equal(close(server, 0).status, 404, "closing without --uploads")
    check.equal(server.stop(), 0, "end")


def main():
    server = Server("--uploads", "up", "games.stamma")
    truth(server)
    for one in uploaded(server):
        check.equal(close(server, one["number"]).status, 200, "closed")
    for part in (messages, names, invalid, cut, together, number):
        part(server)
    origins(server, False)
    check.that(server.metric('stamma_requests_total{endpoint="uploads",status="200"}') > 0, "the metric of uploads")
    check.equal(server.stop(), 0, "end")
    check.equal(os.listdir("up"), [], "files after the end")
    server = Server("--uploads", "up", "--cors", "*", "games.stamma")
    origins(server, True)
    check.equal(server.stop(), 0, "end")
    limits()
    no_room()
    ends()
    off()
    check.end()


if __name__ == "__main__":
    main()
