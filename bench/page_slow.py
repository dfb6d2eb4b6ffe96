# SPDX-License-Identifier: MIT
"""Measures the time on a slow connection until the page of `stamma serve` shows the first table of moves.

usage: page_slow.py STAMMA ARCHIVE [--requests]     --requests: also prints the requests of the last visit, by their start

The browser is headless Chromium with an empty cache. Its connection is like its "Slow 3G": each request waits 400 ms,
and 400 kbit/s arrive. Prints the medians of five visits in seconds: the first paint, and the table. Needs Chromium.
"""
import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "support"))
import browser

VISITS = 5
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 400000 / 8, "uploadThroughput": 400000 / 8}
# Stores the time when the table appears.
WATCH = """new MutationObserver((_, watcher) => { if (document.querySelector('.tree tbody tr')) { window.tableTime = performance.now(); watcher.disconnect(); } })
    .observe(document, { childList: true, subtree: true })"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
REQUESTS = "performance.getEntriesByType('resource').map(one => [one.startTime, one.responseEnd, one.encodedBodySize, one.name])"


def start(stamma, archive):
    """Starts the server. Returns the process and the address."""
    process = subprocess.Popen([stamma, "serve", "--port", "0", archive], stderr=subprocess.PIPE, text=True)
    return process, process.stderr.readline().split()[1]


def visit(window, address):
    """Returns the seconds until the first paint and the table."""
    window.open("about:blank")
    window.open(address)
    window.wait("window.tableTime > 0")
    return window.evaluate("[%s / 1000, window.tableTime / 1000]" % PAINT)


def main():
    server, address = start(*sys.argv[1:3])
    window = browser.Browser()
    try:
        window.size(1280, 800)
        window.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        window.call("Network.setCacheDisabled", cacheDisabled=True)
        visit(window, address)  # the server opens its index
        window.call("Network.emulateNetworkConditions", **SLOW)
        times = [visit(window, address) for _ in range(VISITS)]
        print("first paint %.1f s, table of moves %.1f s" % tuple(statistics.median(one) for one in zip(*times)))
        if "--requests" in sys.argv:
            for begin, end, size, name in sorted(window.evaluate(REQUESTS)):
                print("%6.0f to %6.0f ms %7d bytes  %s" % (begin, end, size, name.removeprefix(address)))
    finally:
        window.close()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
