# SPDX-License-Identifier: MIT
"""The reference of the Python package, from the docstrings and signatures of its public names. Nothing is imported."""
import ast
import os
import re
import textwrap

from command_pages import linked, with_lists

WIDTH = 100  # of a signature
MODULES = ("training", "torch", "spark")  # further modules, whose public names are not in stamma.__all__


def parsed(folder, module):
    path = os.path.join(folder, *module.split(".")) + ".py"
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return ast.parse(file.read())


def public_names(tree):
    """Returns the names of __all__, or the definitions without an underscore."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return [element.value for element in node.value.elts]
    return [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")]


def origins(tree):
    """Returns the module and the name there of each imported name."""
    return {alias.asname or alias.name: (node.module, alias.name) for node in tree.body
            if isinstance(node, ast.ImportFrom) and node.level for alias in node.names}


def definition(tree, name):
    return next((node for node in tree.body if getattr(node, "name", None) == name), None)


def signature(node, name):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returns = " -> " + ast.unparse(node.returns) if node.returns else ""
    line = "%s(%s)%s" % (name, arguments, returns)
    if len(line) <= WIDTH:
        return line
    rows = textwrap.wrap(arguments, WIDTH - len(name) - 1, break_long_words=False)
    return "%s(%s)%s" % (name, ("\n" + " " * (len(name) + 1)).join(rows), returns)


def text_of(docstring):
    """Returns a docstring as Markdown: doctests become blocks of Python."""
    parts = []
    for paragraph in (docstring or "").split("\n\n"):
        if paragraph.lstrip().startswith(">>> "):
            parts.append("```pycon\n%s\n```" % paragraph)
        else:
            parts.append(with_lists(paragraph))
    return linked("\n\n".join(parts), "../")


def decorators(node):
    return {ast.unparse(decorator) for decorator in node.decorator_list}


def members(node):
    """Returns the documented methods, properties and fields of a class, as Markdown."""
    parts = []
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and ast.get_docstring(member) and "overload" not in decorators(member):
            if member.name.startswith("_") and not member.name.startswith("__"):
                continue
            is_property = bool(decorators(member) & {"property", "functools.cached_property", "cached_property"})
            shown = member.name + (": " + ast.unparse(member.returns) if member.returns else "") if is_property else signature(member, member.name)
            parts.append("#### %s.%s\n\n```python\n%s\n```\n\n%s" % (node.name, member.name.replace("_", "\\_"), shown,
                                                                text_of(ast.get_docstring(member))))
    fields = [ast.unparse(member) for member in node.body if isinstance(member, ast.AnnAssign) and not ast.unparse(member.target).startswith("_")]
    return (["```python\n%s\n```" % "\n".join(fields)] if fields else []) + parts


def entry(name, node):
    """Returns the section of a public name."""
    if isinstance(node, ast.ClassDef):
        first = "class %s(%s)" % (name, ", ".join(map(ast.unparse, node.bases))) if node.bases else "class " + name
        return ["### %s" % name, "```python\n%s\n```" % first, text_of(ast.get_docstring(node))] + members(node)
    return ["### %s" % name, "```python\n%s\n```" % signature(node, name), text_of(ast.get_docstring(node))]


def entries(folder, tree, names):
    from_where = origins(tree)
    for name in sorted(names, key=lambda name: (name.lower(), name)):
        module, original = from_where.get(name, (None, name))
        node = definition(tree if module is None else parsed(folder, module) or tree, original)
        if node is not None:
            yield entry(name, node)


def page(folder="python/stamma"):
    tree = parsed(folder, "__init__")
    parts = ["# Python API", "All public names of the package, from its docstrings. [The Python package](python.md) is an introduction.",
             "## stamma", text_of(ast.get_docstring(tree))]
    for section in entries(folder, tree, public_names(tree)):
        parts += section
    for module in MODULES:
        inner = parsed(folder, module)
        if inner is not None:
            parts += ["## stamma." + module, text_of(ast.get_docstring(inner))]
            for section in entries(folder, inner, public_names(inner)):
                parts += section
    # Two entries, such as Repair and repair, would have the same address: headings are unique without case.
    return unique_headings("\n\n".join(part for part in parts if part)) + "\n"


def unique_headings(text):
    known = set()

    def heading(match):
        title = match.group(2)
        address = title.lower()
        number = 2
        while address in known:
            address, number = "%s-%d" % (title.lower(), number), number + 1
        known.add(address)
        return "%s %s { #%s }" % (match.group(1), title, address)

    return re.sub(r"^(###) (\w+)$", heading, text, flags=re.M)
