# SPDX-License-Identifier: MIT
"""Measures the response times of `stamma serve`: from start to the first answer, for single requests, and at a constant
rate.

usage: serve_load.py STAMMA ARCHIVE [RATE] [SECONDS]     run by serve.sh

The positions are from every eighth game, up to its twentieth ply, always in the same order. Times are measured by the
client and include the connection; each request uses a separate connection. At a constant rate, each request is sent at
its scheduled time, even if earlier requests are not answered yet. Waiting time therefore counts.
"""
import http.client
import json
import queue
import random
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request


def start(stamma, archive):
    """Starts the server. Returns the process, its port, and the seconds to its first answer."""
    began = time.perf_counter()
    process = subprocess.Popen([stamma, "serve", "--port", "0", "-T", "2", archive], stderr=subprocess.PIPE, text=True)
    port = int(process.stderr.readline().split("http://127.0.0.1:")[1].split("/")[0])
    ask(port, "/lichess")
    return process, port, time.perf_counter() - began


def wait_for_index(port):
    """Returns the seconds until the indexes are open. Earlier requests are answered more slowly."""
    began = time.perf_counter()
    while True:
        with urllib.request.urlopen("http://127.0.0.1:%d/health" % port) as answer:
            health = json.load(answer)
        if health["indexed"] == health["archives"]:
            return time.perf_counter() - began
        time.sleep(0.01)


def ask(port, path):
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    connection.close()
    if response.status != 200:
        raise SystemExit("%s: status %d" % (path, response.status))
    return time.perf_counter() - began


def lines(stamma, archive):
    """Returns lines of moves in UCI of games from the initial position."""
    text = subprocess.run([stamma, "cat", archive, "--format", "uci", "..40000"], capture_output=True, text=True, check=True).stdout
    return [line.split()[:20] for line in text.splitlines()[::8] if line and not line.startswith("fen")]


def requests(games, count, filters):
    draw = random.Random(7)
    for _ in range(count):
        moves = draw.choice(games)
        moves = moves[:draw.randrange(len(moves) + 1)]
        yield "/lichess?" + urllib.parse.urlencode(dict(draw.choice(filters), play=",".join(moves)))


def report(name, seconds):
    seconds = sorted(seconds)
    at = [seconds[min(len(seconds) - 1, int(len(seconds) * share))] * 1000 for share in (0.5, 0.95, 0.99, 1)]
    print("%-44s %6d   %7.1f %7.1f %7.1f %7.1f" % ((name, len(seconds)) + tuple(at)), flush=True)


def at_rate(port, paths, rate):
    waiting, seconds = queue.Queue(), []

    def client():
        while True:
            one = waiting.get()
            if one is None:
                return
            due, path = one
            ask(port, path)
            seconds.append(time.perf_counter() - due)

    threads = [threading.Thread(target=client) for _ in range(32)]
    for thread in threads:
        thread.start()
    began = time.perf_counter()
    for n, path in enumerate(paths):
        due = began + n / rate
        time.sleep(max(0, due - time.perf_counter()))
        waiting.put((due, path))
    for thread in threads:
        waiting.put(None)
    for thread in threads:
        thread.join()
    return seconds


def main():
    stamma, archive = sys.argv[1:3]
    rate = float(sys.argv[3]) if len(sys.argv) > 3 else 100
    length = float(sys.argv[4]) if len(sys.argv) > 4 else 10
    games = lines(stamma, archive)
    cold = []
    for _ in range(5):
        process, port, seconds = start(stamma, archive)
        cold.append(seconds)
        process.terminate()
        process.wait()
    print("%-44s %6s   %7s %7s %7s %7s" % ("milliseconds", "asked", "median", "95 %", "99 %", "most"))
    report("from start to the first answer", cold)
    process, port, _ = start(stamma, archive)
    report("from that to an open index", [wait_for_index(port)])
    plain = [{}]
    mixed = [{}, {"ratings": "2500"}, {"date": "2015-01.."}, {"date": "..2010-12", "ratings": "2200,2500"}, {"player": "Carlsen"}]
    report("initial position", [ask(port, "/lichess") for _ in range(100)])
    report("positions of the first 20 plies", [ask(port, path) for path in requests(games, 300, plain)])
    report("the same with filters", [ask(port, path) for path in requests(games, 300, mixed)])
    report("statistics of all games", [ask(port, "/stats?limit=%d" % rows) for rows in range(20, 60)])
    report("statistics from a year on", [ask(port, "/stats?date=%d.." % year) for year in range(1980, 2020)])
    report("how many games, from a year on", [ask(port, "/find?count=1&date=%d.." % year) for year in range(1980, 2020)])
    report("the same with filters, %g a second" % rate, at_rate(port, list(requests(games, int(rate * length), mixed)), rate))
    report("first 20 plies, %g a second" % rate, at_rate(port, list(requests(games, int(rate * length), plain)), rate))
    report("half of them the initial position", at_rate(
        port, [path if n % 2 else "/lichess" for n, path in enumerate(requests(games, int(rate * length), plain))], rate))
    process.terminate()
    process.wait()


if __name__ == "__main__":
    main()
