# SPDX-License-Identifier: MIT
"""Splits C sources, formatted as those of the tree, into items: functions, tables, types, macros and declarations.

An item starts in the first column, and ends with its closing brace or semicolon. Conditional lines must be resolved first.
"""
import re

WORD = re.compile(r"[A-Za-z_]\w*")
# Comments, strings and characters: text in which names and braces have no meaning.
OPAQUE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


class Item:
    """A top-level item of a source."""

    def __init__(self, text, comment):
        self.text = text        # without the comment
        self.comment = comment  # the comment directly before the item, or ""
        self.kind = kind_of(text)
        self.names = names_of(text, self.kind)

    def words(self):
        return set(WORD.findall(OPAQUE.sub(" ", self.text)))


def blanked(text):
    """Returns a text of the same length, in which comments, strings and characters are blanks."""
    return OPAQUE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def kind_of(text):
    if text.startswith("#"):
        return "condition" if text.startswith("#if") else "macro"
    head = re.split(r"[={]", blanked(text), maxsplit=1)[0]
    if re.match(r"(typedef|struct|enum|union)\b(?!.*\))", head, re.S) or re.match(r"typedef\b", head):
        return "type"
    if re.search(r"\w\s*\(", head):
        return "function" if text.rstrip().endswith("}") else "prototype"
    return "declaration" if head.startswith("extern") else "data"


def names_of(text, kind):
    clear = blanked(text)
    if kind == "condition":
        return set(re.findall(r"^#\s*define (\w+)", text, re.M)) | set(re.findall(r"^STAMMA_INLINE [\w ]+?(\w+)\(", clear, re.M))
    if kind == "macro":
        return {re.match(r"#\s*define (\w+)", text).group(1)}
    if kind in ("function", "prototype"):
        clear = re.sub(r"__attribute__\(\(.*?\)\)", "", clear)
        return {re.search(r"(\w+)\s*\(", clear).group(1)}
    if kind in ("data", "declaration"):
        head = clear.split("=")[0] if kind == "data" else clear
        return set(re.findall(r"(\w+)\s*(?:\[[^\]]*\])*\s*(?=[,;=]|$)", head.rstrip()))
    names = set(re.findall(r"\b(?:struct|union|enum) (\w+)", clear.split("{")[0]))
    last = re.search(r"(\w+)\s*;\s*$", clear)
    if text.startswith("typedef") and last:
        names.add(last.group(1))
    for body in re.findall(r"\benum\b[^{};]*\{(.*?)\}", clear, re.S):
        names |= {re.match(r"\w+", part.strip()).group() for part in body.split(",") if part.strip()}
    return names


def resolve_conditions(text, known):
    """Resolves `#if NAME` and the like for the conditions in the dictionary `known`; keeps all others."""
    lines, stack = [], []  # an entry of the stack: whether its lines are kept; None for an unresolved condition
    for line in text.splitlines():
        start = re.match(r"#\s*(?:if|ifdef|ifndef) (.*)", line)
        if start:
            key = re.sub(r"\s+", " ", line).replace("# ", "#").strip()
            stack.append(known.get(key))
        if all(kept is not False for kept in stack):
            directive = re.match(r"#\s*(?:if|el|endif)", line)
            if not (directive and stack and stack[-1] is not None):
                lines.append(line)
        if re.match(r"#\s*els", line) and stack[-1] is not None:
            stack[-1] = not stack[-1]
        if re.match(r"#\s*endif\b", line):
            stack.pop()
    return "\n".join(lines) + "\n"


def end_of_item(lines, first):
    """Returns the index after the last line of the item that starts on line `first`."""
    if lines[first].startswith("#if"):
        depth = 0
        for n in range(first, len(lines)):
            depth += bool(re.match(r"#\s*if", lines[n])) - bool(re.match(r"#\s*endif", lines[n]))
            if depth == 0:
                return n + 1
    if lines[first].startswith("#"):
        n = first
        while lines[n].endswith("\\"):
            n += 1
        return n + 1
    depth = 0
    for n in range(first, len(lines)):
        clear = lines[n]
        depth += clear.count("{") - clear.count("}") + clear.count("(") - clear.count(")")
        if depth == 0 and clear.rstrip().endswith((";", "}")):
            return n + 1
    raise ValueError("an item without end: " + lines[first])


def items_of(text):
    """Returns the items of a source, without includes."""
    lines, clear, items = text.splitlines(), blanked(text).splitlines(), []
    n, comment = 0, []
    while n < len(lines):
        if lines[n].startswith("/*"):
            start = n
            while "*/" not in lines[n]:
                n += 1
            n += 1
            comment = lines[start:n]
        elif not clear[n].strip() or lines[n].startswith(("#include", "#undef")):
            comment, n = [], n + 1
        else:
            end = end_of_item(clear, n)
            items.append(Item("\n".join(lines[n:end]), "\n".join(comment)))
            comment, n = [], end
    return items


# ---- initializers ----

def closing(text, start):
    """Returns the index of the brace that closes the one at `start`."""
    clear, depth = blanked(text), 0
    for n in range(start, len(text)):
        depth += (clear[n] in "{(") - (clear[n] in "})")
        if depth == 0:
            return n
    raise ValueError("an open brace")


def parts_of(text):
    """Splits the inside of an initializer at its commas."""
    clear, parts, depth, start = blanked(text), [], 0, 0
    for n, letter in enumerate(clear):
        depth += (letter in "{([") - (letter in "})]")
        if letter == "," and depth == 0:
            parts.append(text[start:n])
            start = n + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def members_of(text):
    """Returns the members of a struct in their order, as (name, type, kind); kind is "pointer", "array", "arrays" (of two dimensions) or ""."""
    body = OPAQUE.sub(" ", text[text.index("{") + 1:text.rindex("}")])
    members = []
    for declaration in body.split(";"):
        declaration = " ".join(declaration.split())
        function = re.match(r".*?\(\*(\w+)\)", declaration)
        if function:
            members.append((function.group(1), "", "pointer"))
            continue
        if not declaration:
            continue
        kind = re.match(r"(?:const |enum |struct )*\w+(?: int)?", declaration).group()
        for name in declaration[len(kind):].split(","):
            word = WORD.search(name).group()
            members.append((word, kind.split()[-1], "pointer" if "*" in name else ("array" if name.count("[") == 1 else "arrays") if "[" in name else ""))
    return members


def zero_of(member, structs):
    _, kind, shape = member
    if shape == "pointer":
        return "NULL"
    if shape == "array":
        return "{0}"
    if shape == "arrays":
        return "{{0}}"
    if kind in structs:
        return "{" + ", ".join(zero_of(inner, structs) for inner in structs[kind]) + "}"
    return "false" if kind == "bool" else "0"


def positional(inside, kind, structs):
    """Returns an initializer with every member in order for one with designators."""
    given = {}
    for part in parts_of(inside):
        name, value = re.match(r"\.(\w+)\s*=\s*(.*)", part, re.S).groups()
        given[name] = value
    values = []
    for member in structs[kind]:
        value = given.pop(member[0], None)
        if value is None:
            value = zero_of(member, structs)
        elif re.match(r"\{\s*\.", value):
            value = positional(value[1:-1], member[1], structs)
        values.append(value)
    if given:
        raise ValueError("%s has no member %s" % (kind, ", ".join(given)))
    return "{" + ", ".join(values) + "}"


def without_designators(text, structs):
    """Replaces the designated initializers of a text, which C++17 does not have."""
    while True:
        match = re.search(r"(?:(\w+) \w+(?:\[\])? = |\((\w+)\))(?=\{\s*\.\w)", text)
        if not match:
            return text
        start = match.end()
        end = closing(text, start)
        text = text[:start] + positional(text[start + 1:end], match.group(1) or match.group(2), structs) + text[end + 1:]


# ---- tables ----

def packed_table(text, columns=240):
    """Writes the numbers of a table as shortly as possible, on full lines."""
    head, body = text.split("=", 1)
    tokens = re.findall(r"\w+|[{},;]", OPAQUE.sub(" ", body))
    joined = re.sub(r",\}", "}", "".join(short_number(token) for token in tokens))
    lines, line = [], head.rstrip() + " = "
    for token in re.findall(r"[{]+|[^{},]+[},;]*,?|[},;]+", joined):
        if len(line) + len(token) > columns:
            lines.append(line)
            line = ""
        line += token
    return "\n".join(lines + [line])


def short_number(token):
    if not token[0].isdigit():
        return token
    value = int(token, 0)
    decimal, hexadecimal = str(value), "0x%X" % value
    return decimal if len(decimal) <= len(hexadecimal) and value < 2 ** 31 else hexadecimal
