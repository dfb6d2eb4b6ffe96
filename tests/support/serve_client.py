# SPDX-License-Identifier: MIT
"""A server under test, and a client. Needs only the standard library."""
import atexit
import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.parse


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# A condition whose search in slow.stamma needs a minute.
SLOW = '{"any":[{"sub-fen":"%s","shift":true,"flipcolor":true,"mirror":true},{"sub-fen":"%s","shift":true,"mirror":true}]}' % (
    "PPPPPPPP/8/8/8/8/8/8/8", "RNBQ4/8/8/PPPPPPPP/8/8/8/8")


def stamma(*arguments):
    return subprocess.run([os.environ["STAMMA"], *arguments], stdout=subprocess.PIPE, check=False).stdout


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body.decode())


class Server:
    """Runs `stamma serve` on a free port. Messages are written to the file `err`. `variables` are added to the
    environment."""

    def __init__(self, *arguments, err="serve.err", variables=None):
        self.err = err
        with open(err, "wb") as messages:
            self.process = subprocess.Popen([os.environ["STAMMA"], "serve", "--port", "0", *arguments], stderr=messages,
                                            env={**os.environ, **(variables or {})})
        atexit.register(self.process.kill)  # in case a check raises an exception
        self.port = self.wait_for_port()

    def wait_for_port(self):
        for _ in range(12000):
            with open(self.err, encoding="utf-8") as messages:
                text = messages.read()
            if "http://127.0.0." in text:
                return int(text.split("http://127.0.0.")[1].split(":")[1].split("/")[0])
            if self.process.poll() is not None:
                raise SystemExit("the server ended: " + text)
            time.sleep(0.05)
        raise SystemExit("the server does not print its address")

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path, method="GET", body=None, headers=None, patience=60, **fields):
        """Sends a request, and waits at most `patience` seconds for the answer. A field may be a list; None means no
        field."""
        pairs = [(name, one) for name, value in fields.items() if value is not None
                 for one in (value if isinstance(value, list) else [value])]
        if pairs:
            path += ("&" if "?" in path else "?") + urllib.parse.urlencode(pairs)
        connection = self.connect(patience)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, dict((k.lower(), v) for k, v in response.getheaders()), response.read())
        finally:
            connection.close()

    def raw(self, data, timeout=30, address="127.0.0.1"):
        """Sends these bytes and returns everything received until the connection ends."""
        with socket.create_connection((address, self.port), timeout=timeout) as connection:
            got = b""
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the server has closed the connection; its answer can still be read
            while True:
                try:
                    piece = connection.recv(65536)
                except OSError:
                    return got
                if not piece:
                    return got
                got += piece

    def metric(self, name):
        for line in self.ask("/metrics").body.decode().splitlines():
            if line.startswith(name + " ") or line.startswith(name + "{"):
                return float(line.rsplit(" ", 1)[1])
        return 0

    def anonymous(self):
        """Returns the bytes of memory that are not mapped from files, or None if the system does not report them."""
        try:
            with open("/proc/%d/status" % self.process.pid, encoding="utf-8") as status:
                return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))
        except (OSError, StopIteration):
            return None

    def stop(self):
        """Stops the server and returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(60)
            if os.environ.get("STAMMA_EXE"):
                return 0  # Wine does not pass SIGTERM to the command
            if status:
                with open(self.err, encoding="utf-8", errors="replace") as messages:
                    print(messages.read()[-12000:])
            return status
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "did not end"


class Checks:
    def __init__(self):
        self.done = self.failed = 0

    def that(self, law, what, *seen):
        self.done += 1
        if not law:
            self.failed += 1
            print("FAILED: %s" % what)
            for one in seen:
                print("    %.600s" % (one if isinstance(one, str) else repr(one)))

    def equal(self, got, wanted, what):
        self.that(got == wanted, what, "got    %r" % (got,), "wanted %r" % (wanted,))

    def wait(self, condition, what, patience=60):
        """Waits until a condition is true, at most `patience` seconds."""
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                self.that(False, what)
                return
            time.sleep(0.05)
        self.that(True, what)

    def end(self):
        print("%d checks, %d failed" % (self.done, self.failed))
        raise SystemExit(1 if self.failed or not self.done else 0)


def slow_search(server, archive=None):
    """Returns a connection with a running search of slow.stamma that needs a minute."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.sendall(b"GET /find?offset=1000000000&query=%s%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                       % (SLOW.replace(" ", "").encode(), b"" if archive is None else b"&archive=%d" % archive))
    return connection
