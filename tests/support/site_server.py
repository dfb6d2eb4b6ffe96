# SPDX-License-Identifier: MIT
"""Serves a folder as a static web host does, with ranges of files or without, and records the requests."""
import functools
import http.server
import os
import re
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")) if self.server.ranges else None
        path = self.translate_path(self.path)
        self.server.requests.append((self.path, self.headers.get("Range")))
        if asked and os.path.isfile(path):
            self.send_range(path, int(asked[1]), int(asked[2]))
        else:
            super().do_GET()

    def send_range(self, path, first, last):
        size = os.path.getsize(path)
        last = min(last, size - 1)
        with open(path, "rb") as file:
            file.seek(first)
            data = file.read(last + 1 - first)
        self.send_response(206)
        for name, value in (("Content-Range", "bytes %d-%d/%d" % (first, last, size)), ("Content-Length", len(data)), ("Content-Type", self.guess_type(path))):
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)


class RangeServer:
    """Serves a folder on a free port of localhost. `requests` are the paths and ranges of all requests."""

    def __init__(self, folder, ranges=True):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.server.ranges, self.server.requests = ranges, []
        self.server.daemon_threads = True
        self.requests = self.server.requests
        self.address = "http://localhost:%d/" % self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
