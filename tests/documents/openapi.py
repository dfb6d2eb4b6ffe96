# SPDX-License-Identifier: MIT
"""Compares doc/reference/openapi.yaml with the sources of the server and with a server.

usage: openapi.py FOLDER, in the root of the tree; FOLDER has games.stamma
"""
import glob
import os
import re
import sys

import yaml
from serve_client import Checks, Server

check = Checks()
SOURCES = sorted(glob.glob("tools/stamma/answering/*.c") + glob.glob("tools/stamma/serving/*.c"))
# Values with which each path answers; others need an engine, tablebases or uploads.
OPERANDS = {"{id}": "1", "{number}": "0"}
FIELDS = {"/player": "?player=Tal&color=white", "/report": "?player=Tal", "/decode": "?codec=butterfly&value=796", "/orders": "?play=e2e4"}
UNAVAILABLE = {"/engine": 404, "/tablebase": 404, "/uploads/{number}": 404}
# Parameters that the server ignores, or reads by their position.
OF_PATHS = {"id", "number"}


def source():
    texts = []
    for path in SOURCES:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def routes(text):
    """Returns the paths of the table of endpoints; one that ends with a slash has an operand."""
    return set(re.findall(r'\{"(/[a-z./]*)", SERVE_\w+\}', text))


def read_names(text):
    """Returns the parameters that the sources read by name, and the filters in lists of names."""
    names = set(re.findall(r'(?:serve_form_value|read_\w+)\([^"();]*"(\w+)"', text))
    for list_of_names in re.findall(r'(?:texts|names|colored)\[\d?\] = \{((?:"\w+",? ?)+)\};', text):
        names |= set(re.findall(r'"(\w+)"', list_of_names))
    return names


def parameters(api, operation):
    for parameter in operation.get("parameters", []):
        yield api["components"]["parameters"][parameter["$ref"].split("/")[-1]] if "$ref" in parameter else parameter


def compare(api, text):
    described = {re.sub(r"\{\w+\}$", "", path) for path in api["paths"]}
    aliases = {re.sub(r"\{\w+\}$", "", path) for item in api["paths"].values() for operation in item.values()
               for sentence in re.findall(r"[^.]*\b(?:is|are) the same\b", operation.get("description", ""))
               for path in re.findall(r"`(/[^`]*)`", sentence)}
    check.that(routes(text) == described | aliases, "the paths are those of the table of endpoints",
               sorted(routes(text) ^ (described | aliases)))
    used = {parameter["name"] for item in api["paths"].values() for operation in item.values() for parameter in parameters(api, operation)}
    known = read_names(text)
    check.that(used - OF_PATHS <= known | set(re.findall(r'"(\w+)"', text)), "the parameters are names in the sources",
               sorted(used - set(re.findall(r'"(\w+)"', text))))
    check.that(set(re.findall(r'(?:serve_form_value|read_size|read_flag|read_number)\([^"();]*"(\w+)"', text)) <= used,
               "every parameter that is read is described", sorted(set(re.findall(
                   r'(?:serve_form_value|read_size|read_flag|read_number)\([^"();]*"(\w+)"', text)) - used))


def complete(api):
    """Checks that each name in braces is a parameter in the path, and that each operation has answers."""
    for path, item in api["paths"].items():
        for operation in item.values():
            described = {parameter["name"] for parameter in parameters(api, operation) if parameter["in"] == "path"}
            check.that(described == set(re.findall(r"\{(\w+)\}", path)) and operation["responses"] and operation["summary"],
                       "%s is complete" % path)


def ask(api, server):
    for path, item in api["paths"].items():
        for method, operation in item.items():
            address = re.sub(r"\{\w+\}", lambda word: OPERANDS[word.group()], path)
            if method != "get":
                continue
            answer = server.ask(address + FIELDS.get(path, ""), headers={"Sec-Fetch-Site": "none"})
            check.that(answer.status == UNAVAILABLE.get(path, 200), "%s answers" % address, answer.status)
            if answer.status == 200:
                kind = answer.headers["content-type"].split(";")[0]
                check.that(kind in operation["responses"]["200"]["content"], "%s has a described type" % address, kind)
            else:
                check.that("error" in answer.json, "%s explains the error" % address)
    for path in FIELDS:
        check.that(server.ask(path).status == 400, "%s needs its parameters" % path)


def main():
    with open("doc/reference/openapi.yaml", encoding="utf-8") as file:
        api = yaml.safe_load(file)
    compare(api, source())
    complete(api)
    os.chdir(sys.argv[1])
    server = Server("games.stamma")
    ask(api, server)
    server.stop()
    check.end()


main()
