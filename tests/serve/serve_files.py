# SPDX-License-Identifier: MIT
"""Tests stamma serve while archives and their index files change, are truncated or are damaged.

usage: serve_files.py    in a folder with the archives of slow_archives (tests/support/command_support.bash)
"""
import json
import os
import shutil
import subprocess
import time

from serve_client import START, Checks, Server, slow_search, stamma

check = Checks()


# ---- archives that change ----

def wait_for_games(server, wanted):
    for _ in range(100):
        games_now = server.ask("/health").json["games"]
        if games_now == wanted:
            break
        time.sleep(0.1)
    check.equal(games_now, wanted, "games that are seen")


def changing():
    subprocess.run(["cp", "a.stamma", "grows.stamma"], check=True)
    server = Server("grows.stamma")
    before = server.ask("/health").json["games"]
    stamma("append", "-q", "grows.stamma", "b.pgn")
    more = int(stamma("find", "b.stamma", "--count"))
    wait_for_games(server, before + more)
    check.equal(server.ask("/lichess").json["white"], json.loads(stamma("tree", "grows.stamma", "--json"))["white"], "the tree of all")
    subprocess.run(["cp", "b.stamma", "new.stamma"], check=True)
    os.rename("new.stamma", "grows.stamma")
    wait_for_games(server, more)
    with open("grows.stamma", "r+b") as file:  # an unsupported change of a file
        file.truncate(100)
    for _ in range(5):
        check.that(server.ask("/lichess").status in (200, 500), "an archive that is cut short is no crash")
        check.that(server.ask("/find", limit=50).status in (200, 500), "nor are its games")
        time.sleep(0.3)
    os.remove("grows.stamma")
    check.equal(server.ask("/health").status, 200, "nor is one that is gone")
    subprocess.run(["cp", "a.stamma", "grows.stamma"], check=True)
    wait_for_games(server, before)
    check.equal(server.ask("/lichess").json["white"], server.ask("/lichess", archive=0).json["white"], "it comes back")
    check.equal(server.stop(), 0, "exit status")


# ---- index files ----

QUESTIONS = [("/lichess", {}), ("/lichess", {"play": "e2e4,c7c5"}), ("/find", {"player": "Kasparov", "limit": 50}),
             ("/find", {"fen": START, "count": 1}), ("/find", {"query": '{"material": "KRPKR"}', "limit": 50}), ("/stats", {"limit": 5})]


def answers(server):
    """Returns the answers to all questions, without the archive of each game."""
    found = [server.ask(path, **fields).json for path, fields in QUESTIONS]
    for answer in found:
        for game in answer.get("games", []) if isinstance(answer.get("games"), list) else []:
            del game["archive"]
    return found


def wait_for_index(server, wanted, asks=False):
    """Waits until /archives reports these kinds of indexes. With `asks`, searches while it waits; these searches may
    find damage."""
    for _ in range(200):
        if asks:
            answers(server)
        kinds = [a["index"] for a in server.ask("/archives").json]
        if kinds == wanted:
            break
        time.sleep(0.1)
    check.equal(kinds, wanted, "indexes")


def is_current(name):
    return json.loads(stamma("index", "-q", "--json", name))["written"] is False


def indexes():
    """Index files are used from the start, and when they are written later. An index file that is changed in place is
    not used."""
    for name in ("plain.stamma", "idx.stamma"):
        shutil.copyfile("a.stamma", name)
    stamma("index", "-q", "idx.stamma")
    plain, server = Server("plain.stamma"), Server("idx.stamma")
    wait_for_index(server, ["file"])
    check.equal((server.ask("/health").json["indexed"], server.ask("/health").json["index_files"]), (1, 1), "an index file from the start")
    check.equal(server.metric("stamma_archives_index_files"), 1, "the metric of index files")
    wait_for_index(plain, ["memory"])
    check.equal(answers(server), answers(plain), "answers with an index file and with an index in memory")
    before, more = server.ask("/health").json["games"], int(stamma("find", "b.stamma", "--count"))
    for name in ("plain.stamma", "idx.stamma"):
        stamma("append", "-q", name, "b.pgn")
    wait_for_games(server, before + more)
    wait_for_games(plain, before + more)
    wait_for_index(server, ["file"])
    check.equal(answers(server), answers(plain), "answers after an append")
    for name in ("plain.stamma", "idx.stamma"):
        stamma("append", "-q", "--no-index", name, "b.pgn")
    check.equal(server.ask("/health").json["games"], before + more, "the old games until the index is written")
    stamma("index", "-q", "idx.stamma")
    wait_for_games(server, before + 2 * more)
    wait_for_games(plain, before + 2 * more)
    wait_for_index(server, ["file"])
    wanted = answers(plain)
    check.equal(answers(server), wanted, "answers with the new index")
    stamma("index", "-q", "plain.stamma")
    wait_for_index(plain, ["file"])
    check.equal(answers(plain), wanted, "answers with an index that was written later")
    for change in (lambda file: file.truncate(5000), lambda file: (file.seek(4096), file.write(bytes(20000))), lambda file: file.truncate(0)):
        answers(server)
        with open("idx.stamma.index", "r+b") as file:
            change(file)
        for (path, fields), value in zip(QUESTIONS * 2, wanted * 2):
            answer = server.ask(path, rating="0..9999", **fields) if "count" in fields else server.ask(path, **fields)
            check.that(answer.status == 503 or answer.json == value or "count" in fields, "a right answer or none", path, answer.status)
        wait_for_index(server, ["memory"], True)
        check.equal(answers(server), wanted, "answers without the index file")
        stamma("index", "-qf", "idx.stamma")
        wait_for_index(server, ["file"])
    check.equal((server.stop(), plain.stop()), (0, 0), "exit status")


def writes_indexes():
    """serve --index writes missing and outdated index files, and can be ended immediately while it writes them."""
    for name in ("one.stamma", "two.stamma", "three.stamma"):
        shutil.copyfile("a.stamma", name)
    for name in ("two.stamma", "three.stamma"):
        stamma("index", "-q", name)
    stamma("append", "-q", "--no-index", "two.stamma", "b.pgn")
    with open("three.stamma.index", "wb") as file:
        file.write(b"something else")
    server = Server("--index", "one.stamma", "two.stamma", "three.stamma", err="index.err")
    wait_for_index(server, ["file", "file", "memory"])
    check.that(is_current("one.stamma") and is_current("two.stamma"), "the index files are current")
    with open("three.stamma.index", "rb") as file:
        check.equal(file.read(), b"something else", "another file is kept")
    games_now = server.ask("/health").json["games"]
    stamma("append", "-q", "one.stamma", "b.pgn")
    wait_for_games(server, games_now + int(stamma("find", "b.stamma", "--count")))
    check.equal(server.ask("/archives").json[0]["index"], "file", "the index of the archive that has grown")
    os.truncate("one.stamma.index", 4096)
    for _ in range(100):
        if os.path.getsize("one.stamma.index") > 4096:
            break
        time.sleep(0.1)
    wait_for_index(server, ["file", "file", "memory"])
    check.that(is_current("one.stamma"), "it is written again")
    check.equal(server.stop(), 0, "exit status")
    server = Server("--index", "slow.stamma")
    check.equal(server.ask("/archives").json[0]["index"], None, "no index yet")
    check.equal(server.stop(), 0, "exit status")
    check.equal([name for name in os.listdir(".") if name.startswith(".stamma-")], [], "unfinished files")
    check.that(not os.path.exists("slow.stamma.index"), "no index that is not complete")


def health(server, wanted):
    """Waits until /health reports these problems. The server checks its files once a second."""
    for _ in range(100):
        answer = server.ask("/health").json
        if [p["problem"] for p in answer["problems"]] == wanted:
            break
        time.sleep(0.1)
    check.equal([p["problem"] for p in answer["problems"]], wanted, "problems that /health reports")
    check.equal(answer["status"], "degraded" if wanted else "ok", "status")


def truncated():
    """Truncates files while two threads search them. Each file is truncated once, during a search: the thread of the
    request, which never blocks the signal, reads pages that are missing when the search begins. The thread sanitizer
    reports a false race between mapping zeros over a page and reading the page, so reports of races are disabled."""
    stamma("merge", "-qf", "-o", "cut.stamma", *["a3.stamma"] * 12)
    names = ["cut%d.stamma" % n for n in range(200)]
    for name in names:
        shutil.copyfile("cut.stamma", name)
    server = Server("-T", "2", *names, err="cut.err", variables={"TSAN_OPTIONS": "report_bugs=0"})
    for n, name in enumerate(names):
        with slow_search(server, archive=n) as connection:
            os.truncate(name, 4096)
            check.that(connection.recv(12)[9:] in (b"200", b"500"), "a file that is cut short", n)
    check.equal(server.process.poll(), None, "the server is still there")
    check.equal(server.stop(), 0, "exit status")
    server = Server("cut.stamma", err="cut.err")
    health(server, [])
    os.truncate("cut.stamma", os.path.getsize("cut.stamma") - 100)
    health(server, ["damaged"])
    os.remove("cut.stamma")
    health(server, ["missing"])
    check.equal(server.stop(), 0, "exit status")


def damaged():
    """The sound blocks of a damaged archive are served."""
    stamma("merge", "-qf", "-o", "two.stamma", "a.stamma", "b.stamma")
    first, both = int(stamma("find", "a.stamma", "--count")), int(stamma("find", "two.stamma", "--count"))
    with open("two.stamma", "r+b") as file:
        file.seek(60)  # in the head of the block of a.stamma
        file.write(bytes(64))
    server = Server("two.stamma", err="two.err")
    health(server, ["damaged"])
    with open("two.err", encoding="utf-8") as messages:
        check.that("what is sound is served" in messages.read(), "it says so")
    answer = server.ask("/lichess")
    found = sum(answer.json.get(side, 0) for side in ("white", "draws", "black")) if answer.status == 200 else None
    expected = json.loads(stamma("tree", "b.stamma", "--json"))
    check.equal(found, sum(expected[side] for side in ("white", "draws", "black")), "the games of the sound block")
    check.that(first > 0 and both > first, "two blocks with games")
    rows = server.ask("/find", limit=200).json["games"]
    check.equal([row["number"] for row in rows[:1] + rows[-1:]], [first + 1, both], "games after the damaged block")
    check.equal(server.ask("/game/%d" % both).status, 200, "a game after the damaged block")
    check.equal(server.stop(), 0, "exit status")
    stamma("merge", "-qf", "-o", "two.stamma", "a.stamma", "b.stamma")
    with open("two.stamma", "r+b") as file:
        file.seek(os.path.getsize("a.stamma") // 2)  # in the texts of the block of a.stamma
        file.write(bytes(64))
    server = Server("two.stamma", err="two.err")
    rows = server.ask("/find", limit=200).json["games"]
    check.equal([row["number"] for row in rows][first - both:], list(range(first + 1, both + 1)), "the games that can be read")
    for _ in range(4):  # repeated, because readers are cached
        check.equal((server.ask("/game/1").status, server.ask("/game/%d" % both).status), (500, 200), "damaged and sound games")
    check.equal(server.stop(), 0, "exit status")


def main():
    for part in (changing, indexes, writes_indexes, truncated, damaged):
        part()
    check.end()


if __name__ == "__main__":
    main()
