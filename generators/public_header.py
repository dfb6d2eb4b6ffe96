# SPDX-License-Identifier: MIT
"""The public header as one text: the headers that stamma.h includes, in their order, one after another."""
import os
import re

INCLUDE = re.compile(r'^#include "(stamma/\w+\.h)"', re.M)


def text(folder="include"):
    """Returns the text of all headers that `folder`/stamma.h names, which is each public header."""
    with open(os.path.join(folder, "stamma.h"), encoding="utf-8") as file:
        names = INCLUDE.findall(file.read())
    parts = []
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            parts.append(file.read())
    return "\n".join(parts)
