# SPDX-License-Identifier: MIT
"""Checks the files of a site against the archives, the module and the page.

usage: command_site.py SITE MODULE ARCHIVE...    exits with status 1 if a check fails
"""
import hashlib
import html.parser
import json
import os
import re
import subprocess
import sys
import xml.dom.minidom

PIECE = 1 << 18


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Page(html.parser.HTMLParser):
    """The tags of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


def joined(site, path, piece):
    """The bytes of a file of the site."""
    if not piece:
        return content(os.path.join(site, path))
    folder = os.path.join(site, path)
    names = sorted(os.listdir(folder), key=int)
    parts = [content(os.path.join(folder, name)) for name in names]
    assert names == [str(n) for n in range(len(names))], names
    assert all(len(part) == PIECE for part in parts[:-1]) and 0 < len(parts[-1]) <= PIECE
    return b"".join(parts)


def archives(site, paths):
    listed = json.loads(content(os.path.join(site, "site.json")))
    assert [one["name"] for one in listed["archives"]] == [os.path.basename(path) for path in paths]
    expected = set()
    for one, path in zip(listed["archives"], paths, strict=True):
        for key, ending in (("file", ""), ("index", ".index"), ("pages", ".pages")):
            data = content(path + ending)
            assert joined(site, one[key], listed["piece"]) == data and one[key + "_size"] == len(data), key
            assert hashlib.sha256(data).hexdigest()[:16] in one[key]
            expected.add(one[key].split("/")[1])
        info = json.loads(subprocess.run([os.environ["STAMMA"], "info", "--json", path], stdout=subprocess.PIPE, check=True).stdout)
        games = info["games"] if "games" in info else info["counts"]["games"]
        assert one["counts"][0] == games and sum(one["counts"][2:5]) > 0, one["counts"]
    assert set(os.listdir(os.path.join(site, "data"))) == expected, "data of an earlier version"
    return sum(one["counts"][0] for one in listed["archives"])


def page(site):
    """Every file that the page names is there, and the policy allows only these."""
    entry = Page(content(os.path.join(site, "index.html")).decode())
    named = [attributes.get("src") or attributes.get("href") for tag, attributes in entry.tags if tag in ("script", "link")]
    named += [attributes["content"] for tag, attributes in entry.tags if tag == "meta" and attributes.get("name", "").startswith("stamma-")]
    missing = [one for one in named if one and not os.path.exists(os.path.join(site, one))]
    assert not missing, missing
    policy = next(attributes["content"] for tag, attributes in entry.tags if attributes.get("http-equiv") == "Content-Security-Policy")
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy and "unsafe-eval" not in policy.replace("wasm-unsafe-eval", ""), policy
    assert not any("style" in attributes or any(name.startswith("on") for name in attributes) for _, attributes in entry.tags)
    first = [attributes["src"] for tag, attributes in entry.tags if tag == "script" and attributes.get("type") == "module"]
    assert first[0] == "local.js" and "install.js" in first, first
    return entry


def offline(site):
    """The service worker keeps all files of the page, and their hashes are right."""
    text = content(os.path.join(site, "service_worker.js")).decode()
    files = json.loads(re.match(r"self\.FILES = (\{.*?\});\n", text)[1])
    for path, digest in files.items():
        data = content(os.path.join(site, "index.html" if path == "./" else path))
        assert hashlib.sha256(data).hexdigest()[:16] == digest, path
    wanted = {os.path.relpath(os.path.join(folder, name), site) for folder, _, names in os.walk(site) for name in names}
    wanted = {one for one in wanted if not one.startswith("data/")} - {"service_worker.js", "index.html", "stamma/stamma.weights"}
    assert set(files) - {"./"} == wanted, set(files) ^ wanted


def statistics(site, games):
    text = content(os.path.join(site, "statistics.html")).decode()
    xml.dom.minidom.parseString(text.split("\n", 1)[1])
    shown = Page(text)
    assert not any(tag == "script" for tag, _ in shown.tags)
    assert re.search(r"Games\s*%s\s*White won" % "{:,}".format(games), shown.text), shown.text[:400]
    assert "per year" in shown.text and "Openings" in shown.text


def main(site, module, *paths):
    games = archives(site, paths)
    entry = page(site)
    offline(site)
    statistics(site, games)
    manifest = json.loads(content(os.path.join(site, "manifest.webmanifest")))
    listed = json.loads(content(os.path.join(site, "site.json")))
    assert manifest["name"] == listed["title"] and os.path.exists(os.path.join(site, manifest["icons"][0]["src"]))
    if listed["author"]:
        assert listed["author"] in entry.text and listed["licence"] in entry.text and listed["title"] in entry.text
        assert not any(tag in ("b", "uthor") for tag, _ in entry.tags)
    for name in os.listdir(os.path.join(site, "stamma")):
        assert content(os.path.join(site, "stamma", name)) == content(os.path.join(module, name)), name


main(*sys.argv[1:])
