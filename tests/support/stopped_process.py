# SPDX-License-Identifier: MIT
"""Runs the command as a separate process and stops it at a known moment, to test the files that it leaves."""
import fcntl
import signal
import struct
import subprocess
import termios
import time


def wait_until(true):
    """Waits until a condition is true. Fails after a limit that is far above every expected time."""
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, "it took two minutes"
        time.sleep(0.01)


def waits_for_input(child):
    """Returns whether the child has read all its input and sleeps."""
    left = struct.unpack("i", fcntl.ioctl(child.stdin, termios.FIONREAD, b"\0" * 4))[0]
    with open("/proc/%d/stat" % child.pid) as file:
        return left == 0 and file.read().rpartition(")")[2].split()[0] == "S"


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def end_by_signals():
    """Restores the default handling of signals, which a shell that runs the tests in the background may have disabled."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


def begin(command, text):
    """Starts a run that packs as much of the text as it can and waits for more input."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=end_by_signals)
    child.stdin.write(text)
    child.stdin.flush()
    wait_until(lambda: waits_for_input(child))
    return child


def end(child):
    """Closes the input. Returns the exit status and the messages."""
    child.stdin.close()
    words = child.stderr.read().decode()
    child.stderr.close()
    return child.wait(), words


def kill(child):
    """Kills the child, as a crash does: it cannot clean up."""
    child.kill()
    return end(child)


def interrupt(child, number, words):
    """Sends a signal, and checks that the child ends by it and prints these words."""
    child.send_signal(number)
    status, said = end(child)
    assert status == -number, "it did not end by the signal"
    assert said == words, said
