"""The command as a process of its own that is stopped at a known moment, for the tests of what it leaves."""
import fcntl
import signal
import struct
import subprocess
import termios
import time


def wait_until(true):
    """Processes do what they do in their own time; only one that never does it fails here."""
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, "it took two minutes"
        time.sleep(0.01)


def waits_for_input(child):
    """It has taken all there was, and sleeps."""
    left = struct.unpack("i", fcntl.ioctl(child.stdin, termios.FIONREAD, b"\0" * 4))[0]
    with open("/proc/%d/stat" % child.pid) as file:
        return left == 0 and file.read().rpartition(")")[2].split()[0] == "S"


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def end_by_signals():
    """A shell that starts the tests in the background has them ignored, which the command would leave so."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


def begin(command, text):
    """A run that has packed what it can of so much text, and waits for more."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=end_by_signals)
    child.stdin.write(text)
    child.stdin.flush()
    wait_until(lambda: waits_for_input(child))
    return child


def end(child):
    """Ends its input; its status and what it said."""
    child.stdin.close()
    words = child.stderr.read().decode()
    child.stderr.close()
    return child.wait(), words


def kill(child):
    """As a crash does: nothing can be cleaned up."""
    child.kill()
    return end(child)


def interrupt(child, number, words):
    """Sends a signal, which is to end it, with these words."""
    child.send_signal(number)
    status, said = end(child)
    assert status == -number, "it did not end by the signal"
    assert said == words, said
