# SPDX-License-Identifier: MIT
"""Serves the files of a folder over HTTP. Answers requests for ranges, which Python's http.server does not support."""
import http.server
import os
import re
import threading


class Requests(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:  # a reader that has enough may close the connection
            pass

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, with_body):
        try:
            with open(os.path.join(self.server.folder, os.path.basename(self.path)), "rb") as file:
                data = file.read()
        except OSError:
            self.send_error(404)
            return
        wanted = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        begin = int(wanted[1]) if wanted else 0
        end = min(int(wanted[2]) + 1 if wanted and wanted[2] else len(data), len(data))
        self.send_response(206 if wanted else 200)
        self.send_header("Accept-Ranges", "bytes")
        if wanted:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{len(data)}")
        self.send_header("Content-Length", str(end - begin))
        self.end_headers()
        if with_body:
            self.server.sent.append((os.path.basename(self.path), end - begin))
            self.wfile.write(data[begin:end])


class RangeServer(http.server.ThreadingHTTPServer):
    """Serves `folder` at `address` until `close`. `sent` lists the name and the size of each answer."""

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Requests)
        self.folder, self.sent = folder, []
        self.address = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()
