# SPDX-License-Identifier: MIT
"""Drives headless Firefox over Marionette, its own protocol, on a local socket. Needs only the standard library.

https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from browser import Failed, Waiting

PATIENCE = 20  # seconds to wait for a condition
START = 60     # seconds to wait until Firefox listens
PREFERENCES = {
    "marionette.port": 0,  # any free port, which Firefox writes to the profile
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "browser.safebrowsing.downloads.remote.enabled": False, "extensions.update.enabled": False, "services.settings.server": "http://127.0.0.1:9/",
    "ui.prefersReducedMotion": 1,
}


def program():
    """Returns Firefox's name, or None."""
    return next((name for name in ("firefox-esr", "firefox") if shutil.which(name)), None)


class Firefox(Waiting):
    """A window with one page."""

    @staticmethod
    def patience():
        return PATIENCE

    def __init__(self):
        self.profile, self.number = tempfile.mkdtemp(prefix="stamma-firefox-"), 0
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            file.writelines("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)) for name, value in PREFERENCES.items())
        self.process = subprocess.Popen([program(), "--headless", "--no-remote", "--marionette", "--profile", self.profile, "about:blank"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": self.profile, "MOZ_CRASHREPORTER_DISABLE": "1"})
        try:
            self.input = self.connect().makefile("rwb")
            self.receive()  # the greeting
            self.call("WebDriver:NewSession", {})
        except BaseException:
            self.close()
            raise

    def connect(self):
        end, path = time.monotonic() + START, os.path.join(self.profile, "MarionetteActivePort")
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with open(path, encoding="utf-8") as file:
                    return socket.create_connection(("127.0.0.1", int(file.read())), START)
            except (OSError, ValueError):
                time.sleep(0.1)
        raise Failed("Firefox does not listen")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            one = self.input.read(1)
            if not one:
                raise Failed("Firefox ended")
            size += one
        return json.loads(self.input.read(int(size[:-1])))

    def call(self, command, parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.input.write(b"%d:%s" % (len(message), message))
        self.input.flush()
        _, number, error, result = self.receive()
        if error or number != self.number:
            raise Failed("%s: %s" % (command, error and error["message"]))
        return result

    def open(self, address):
        self.call("WebDriver:Navigate", {"url": address})

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression. Waits for promises."""
        script = "const [done] = arguments; Promise.resolve().then(() => (%s)).then(value => done({ value }), error => done({ error: String(error) }))" % expression
        answer = self.call("WebDriver:ExecuteAsyncScript", {"script": script, "args": [], "sandbox": None})["value"]
        if "error" in answer:
            raise Failed("%s: %s" % (expression, answer["error"]))
        return answer.get("value")

    def size(self, width, height):
        """Sets the size of the page, not of the window."""
        self.call("WebDriver:SetWindowRect", {"width": width, "height": height})
        inner = self.evaluate("[innerWidth, innerHeight]")
        self.call("WebDriver:SetWindowRect", {"width": 2 * width - inner[0], "height": 2 * height - inner[1]})

    def press(self, *keys):
        """Presses keys: characters, or special keys of WebDriver such as "\\ue00c" (Escape)."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def drag(self, begin, end):
        """Moves the pointer, with its button pressed, from the centre of one element to the centre of another."""
        places = [self.evaluate("(() => { const box = document.querySelector(%s).getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2] })()"
                                % json.dumps(selector)) for selector in (begin, end)]
        moves = [{"type": "pointerMove", "duration": 40, "x": round(x), "y": round(y)} for x, y in places]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, moves[1], {"type": "pointerUp", "button": 0}]
        self.call("WebDriver:PerformActions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})

    def click(self, selector):
        self.evaluate("document.querySelector(%s).scrollIntoView({block: 'center'})" % json.dumps(selector))
        self.drag(selector, selector)

    def screenshot(self, path):
        data = self.call("WebDriver:TakeScreenshot", {"full": False})["value"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
