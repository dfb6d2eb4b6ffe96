# SPDX-License-Identifier: MIT
"""Drives headless Chromium over the DevTools protocol on two pipes. Needs no network and only the standard library.

Records the messages and errors that the page logs, and the addresses that it requests.
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

PATIENCE = 30  # seconds to wait for a condition
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "Enter": 13, "Tab": 9, "Escape": 27, "Delete": 46, "Backspace": 8}


def program():
    """Returns Chromium's name, or None."""
    return next((name for name in ("chromium", "chromium-browser", "google-chrome") if shutil.which(name)), None)


class Failed(Exception):
    """The page does not behave as the test expects."""


class Waiting:
    """A window that evaluates expressions of JavaScript. `patience` returns the seconds to wait for a value."""

    def wait(self, expression, wanted=True):
        """Waits until an expression has a value. Otherwise the test fails, and reports the last value."""
        end, value = time.monotonic() + self.patience(), None
        while time.monotonic() < end:
            value = self.evaluate("(() => { try { return %s } catch (error) { return String(error) } })()" % expression)
            if value == wanted:
                return
            time.sleep(0.03)
        text = self.evaluate("document.body.innerText.slice(0, 1000)")
        raise Failed("%s is %r, not %r, at %s: %s" % (expression, value, wanted, self.evaluate("location.href"), text))


class Browser(Waiting):
    """A window with one page."""

    @staticmethod
    def patience():
        return PATIENCE

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="stamma-browser-")
        self.logged, self.requests, self.number = [], [], 0
        ours_read, theirs_write = os.pipe()
        theirs_read, ours_write = os.pipe()
        arguments = [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                     "--force-color-profile=srgb", "--user-data-dir=" + self.profile, "--remote-debugging-pipe", "about:blank"]
        # The protocol uses descriptors 3 and 4, which the shell opens.
        shell = "exec \"$@\" 3<&%d 4>&%d" % (theirs_read, theirs_write)
        self.process = subprocess.Popen(["bash", "-c", shell, "bash"] + arguments, pass_fds=(theirs_read, theirs_write),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_read)
        os.close(theirs_write)
        self.input, self.output = os.fdopen(ours_read, "rb"), os.fdopen(ours_write, "wb")
        self.session, self.rest = None, b""
        target = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in target if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (Failed, OSError):
            pass
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.input.fileno(), 1 << 16)
            if not piece:
                raise Failed("the browser ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        self.output.write(json.dumps(request).encode() + b"\0")
        self.output.flush()
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.note(answer)

    def note(self, event):
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.logged.append(details.get("exception", {}).get("description", details["text"]))
        elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.logged.append("%s %s" % (params["entry"]["text"], params["entry"].get("url", "")))
        elif event.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.logged.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))
        elif event.get("method") == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression. Waits for promises."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed("%s: %s" % (expression, answer["exceptionDetails"].get("exception", {}).get("description")))
        return answer["result"].get("value")

    def open(self, address):
        self.call("Page.navigate", url=address)

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def dark(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def place(self, selector):
        """Scrolls to an element and returns its centre."""
        box = self.evaluate("(() => { const e = document.querySelector(%s); if (!e) return null; e.scrollIntoView({block: 'nearest'});"
                            "const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2] })()" % json.dumps(selector))
        if box is None:
            raise Failed("there is no " + selector)
        return box

    def mouse(self, kind, place, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **more)

    def click(self, selector):
        place = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, place, button="left", clickCount=1)

    def drag(self, begin, end):
        begin, end = self.place(begin), self.place(end)
        middle = [(a + b) / 2 for a, b in zip(begin, end)]
        self.mouse("mousePressed", begin, button="left", clickCount=1)
        for place in (middle, end):
            self.mouse("mouseMoved", place, button="left", buttons=1)
        self.mouse("mouseReleased", end, button="left", clickCount=1)

    def touch(self, *places):
        """Touches the first place, drags the touch through the others, and ends the touch."""
        step = [(places[0], "touchStart")] + [(place, "touchMove") for place in places[1:]]
        for place, kind in step:
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": place[0], "y": place[1]}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def wheel(self, selector, way):
        self.mouse("mouseWheel", self.place(selector), deltaX=0, deltaY=way)

    def press(self, key):
        text = {} if key in KEYS else {"text": key}
        if key == "Enter":
            text = {"text": "\r"}
        code = KEYS.get(key, ord(key[0].upper()))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def accessible(self):
        """Returns (role, name) of everything that assistive technology sees."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(one["role"]["value"], one.get("name", {}).get("value", "")) for one in nodes if not one["ignored"]]
