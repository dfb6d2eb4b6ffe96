# SPDX-License-Identifier: MIT
"""Compares the section SYNOPSIS of doc/man/stamma.1 with the options that each command lists. The synopsis has every option of a
command once, except --help and those of conditions, and no other. Prints the differences."""
import os
import re
import subprocess
import sys

PAGE = "doc/man/stamma.1"


def helped(command):
    """Returns the names of options in a help, the values that they have, and the names by their letter."""
    text = subprocess.run([os.environ["STAMMA"], command, "--help"], capture_output=True, text=True, check=True).stdout
    options, letters = {}, {}
    for letter, name, rest in re.findall(r"^ {2}(?:-(\w),| {3}) --([a-z0-9-]+)(.*)$", text.split("options:\n")[1], re.M):
        options[name] = bool(re.match(r" [A-Z]", rest))
        if letter:
            letters[letter] = name
    options.pop("help")
    return options, letters


def synopses():
    """Returns the lines of the synopsis of each command, which may have several."""
    with open(PAGE, encoding="utf-8") as file:
        section = file.read().split(".Sh SYNOPSIS\n")[1].split("\n.Sh ")[0]
    found = {}
    for part in section.split(".Nm\n")[1:]:
        command = re.match(r"\.Cm (\S+)\n", part)
        if command:
            found[command.group(1)] = found.get(command.group(1), "") + part
    return found


def options_of(synopsis, letters):
    """Returns the options of a synopsis, and whether each has a value."""
    found = {}
    for name, value in re.findall(r"(?:\bFl |\| (?=-))(-?[\w-]+)((?: Ar)?)", synopsis):
        for option in [name[1:]] if name.startswith("-") else [letters.get(letter, letter) for letter in name]:
            found[option] = bool(value)
    return found


def main():
    found = synopses()
    listed = subprocess.run([os.environ["STAMMA"], "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"^ {2}([a-z-]+) ", listed.split("commands:\n")[1].split("\n\n")[0], re.M)
    faults = ["%s is in the synopsis, and no command" % command for command in sorted(set(found) - set(commands))]
    for command in commands:
        options, letters = helped(command)
        shown = options_of(found.get(command, ""), letters)
        faults += ["%s: the synopsis lacks --%s" % (command, name) for name in options if name not in shown]
        faults += ["%s: the synopsis has --%s, which is no option" % (command, name) for name in shown if name not in options]
        faults += ["%s: --%s has %s value" % (command, name, "a" if options[name] else "no") for name in shown
                   if name in options and shown[name] != options[name]]
    print("\n".join(faults + ["%d commands, %d differences" % (len(commands), len(faults))]))
    return 1 if faults or len(commands) < 30 else 0


sys.exit(main())
