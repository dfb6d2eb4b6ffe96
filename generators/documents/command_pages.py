# SPDX-License-Identifier: MIT
"""Pages of the commands, from the help of each command, which is written from its table of options.

A help has a usage line, paragraphs, examples that are indented, and options.
"""
import re
import subprocess

OPTION = re.compile(r"^ {2}(-\w,| {3}) (--\S.*)$")
TEXT_COLUMN = 23  # of an option


def run(stamma, *arguments):
    return subprocess.run([stamma, *arguments], capture_output=True, text=True, check=True).stdout


def commands(stamma):
    """Returns the commands with their descriptions of one line."""
    section = run(stamma, "--help").split("commands:\n")[1].split("\n\n")[0]
    return re.findall(r"^ {2}([a-z-]+) +(.*)$", section, re.M)


def options_of(section):
    """Returns (option, description) from the lines of a section `options:` or `conditions:`."""
    rows = []
    for line in section.splitlines():
        match = OPTION.match(line)
        if match:
            short, rest = match.groups()
            # The description follows two blanks, or one blank after a long name.
            name, text = (line[6:TEXT_COLUMN].strip(), line[TEXT_COLUMN:]) if len(line) > TEXT_COLUMN and line[TEXT_COLUMN - 1] == " " \
                else split_long(rest)
            rows.append([(short.strip() + " " if short.strip() else "") + name, text.strip()])
        elif line.strip() and rows:
            rows[-1][1] += " " + line.strip()
    return rows


def split_long(text):
    """Separates a long option with its value, in capitals or brackets, from its description."""
    match = re.match(r"(--\S+(?: (?:[A-Z][A-Z0-9,.:=/-]*|\[.*?\])(?= ))*) *(.*)", text)
    return match.group(1), match.group(2)


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def table_of(rows):
    lines = ["| option | meaning |", "|---|---|"]
    return "\n".join(lines + ["| `%s` | %s |" % (name.replace("|", "\\|"), escaped(text)) for name, text in rows])


def prose_of(text):
    """Returns paragraphs of a help as Markdown: indented lines are code."""
    parts = []
    for paragraph in text.strip("\n").split("\n\n"):
        lines = paragraph.splitlines()
        plain = [line for line in lines if not line.startswith("  ")]
        code = [line[2:] for line in lines if line.startswith("  ")]
        if plain:
            parts.append(escaped(" ".join(plain)))
        if code:
            parts.append("```sh\n" + "\n".join(code) + "\n```")
    return "\n\n".join(parts)


def page(stamma, command, summary):
    """Returns the page of a command."""
    usage, _, rest = run(stamma, command, "--help").partition("\n\n")
    text, _, rest = rest.partition("options:\n")
    options, _, after = rest.partition("\n\n")
    parts = ["# stamma %s" % command, "The command `%s`: %s." % (command, escaped(summary)),
             "```\n%s\n```" % usage.replace("usage: ", ""), prose_of(text), "## Options\n\n" + table_of(options_of(options))]
    if "conditions" in run(stamma, command, "--help").lower():
        parts.append("The [conditions](conditions.md) of searches are further options.")
    return linked("\n\n".join(parts + [prose_of(after)]), "../../") + "\n"


NAMES = r"((?:`+[\w.*]+`+|[\w.*]+)(?:, (?:`+[\w.*]+`+|[\w.*]+))*)"
# A name and its description in columns, with two blanks or more between, or the description on the next lines.
ITEM = re.compile(r" {0,2}%s(?: {2,}(\S.*)|$)" % NAMES)


def with_lists(text):
    """Turns names with descriptions, which are further to the right, into lists."""
    lines, rows, inside = [], text.split("\n"), False
    for number, line in enumerate(rows):
        match = ITEM.match(line)
        below = rows[number + 1] if number + 1 < len(rows) else ""
        if match and (match.group(2) or line.startswith("`") and below.startswith("  ")):
            names = ", ".join("`%s`" % name.strip("`") for name in match.group(1).split(", "))
            lines += ([] if inside else [""]) + ["- %s: %s" % (names, match.group(2) or "")]
            inside = True
        elif inside and re.match(r" {3,}\S", line):
            lines[-1] += " " + line.strip()
        else:
            lines += ["", line] if inside and line else [line]
            inside = False
    return "\n".join(lines)


def linked(text, top):
    """Replaces the names of documents outside code by links; `top` leads from the page to the folder doc."""
    return re.sub(r"(?<![\w`/])doc/(\w+)/(\w+)\.md", r"[\2.md](%s\1/\2.md)" % top, text)


def conditions_page(stamma):
    text, _, options = run(stamma, "help", "conditions").partition("conditions:\n")
    return "# Conditions of searches\n\n%s\n\n%s\n\n[Searching](../search.md) describes each condition.\n" % (
        linked(prose_of(text), "../../"), table_of(options_of(options.split("\n\n")[0])))


def pages(stamma):
    """Returns the text of each page by its path in the folder reference. `stamma index` is a command, so no page is index.md."""
    known = commands(stamma)
    index = "# Commands\n\nEach command describes itself with `stamma help COMMAND`. These pages have the same text.\n\n| command | purpose |\n|---|---|\n"
    index += "\n".join("| [`%s`](commands/%s.md) | %s |" % (name, name, escaped(summary)) for name, summary in known) + "\n"
    result = {"commands.md": index, "commands/conditions.md": conditions_page(stamma)}
    result.update(("commands/%s.md" % name, page(stamma, name, summary)) for name, summary in known)
    return result
