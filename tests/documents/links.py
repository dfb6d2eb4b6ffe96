# SPDX-License-Identifier: MIT
"""Checks that each link of the documents in a folder leads to a file below it, and to a heading that exists.

usage: links.py FOLDER [DOCUMENT...]     without documents: all files *.md below the folder

Addresses of headings are those of GitHub: small letters, without punctuation, `-` for blanks. Prints each broken link.
"""
import glob
import os
import re
import sys

CODE_BLOCK = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
LINK = re.compile(r"\]\(<?([^)\s>]*)>?(?: \"[^\"]*\")?\)|(?:src|href|srcset)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.*?)(?: *\{ *#.*\})?$", re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return CODE_BLOCK.sub("", file.read())


def anchors(path, known={}):
    """Returns the addresses of the headings of a document."""
    if path not in known:
        text, counts, found = read(path), {}, set()
        for heading in HEADING.findall(text):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "").lower()
            slug = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
            number = counts.get(slug, 0)
            counts[slug] = number + 1
            found.add(slug + ("-%d" % number if number else ""))
        known[path] = found | set(re.findall(r"(?:id|name)=\"([^\"]+)\"", text)) | set(re.findall(r"\{ *#([\w-]+)", text))
    return known[path]


def faults(folder, document):
    """Returns the broken links of a document, as lines."""
    path = os.path.join(folder, document)
    text = re.sub(r"`[^`\n]*`", "", read(path))
    for link in (first or second for first, second in LINK.findall(text)):
        if re.match(r"[a-z]+:|//", link):
            continue
        target, _, anchor = link.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(file) or os.path.relpath(file, folder).startswith(".."):
            yield "%s: %s is not there" % (document, link)
        elif anchor and file.endswith(".md") and anchor not in anchors(file):
            yield "%s: %s has no heading #%s" % (document, target or document, anchor)


def main(folder, documents):
    documents = documents or sorted(glob.glob("**/*.md", root_dir=folder, recursive=True))
    broken = [line for document in documents for line in faults(folder, document)]
    print("\n".join(broken + ["%d documents, %d broken links" % (len(documents), len(broken))]))
    return 1 if broken or not documents else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
