# SPDX-License-Identifier: MIT
"""A hook of MkDocs for the site of the documents (`make site-docs`):

- README.md is the first page, doc/README.md the page documents.md, and the navigation lists the pages of each folder.
- The pages of the commands, the Python package, stamma.h and the server are generated.
- Links to files outside doc lead to $STAMMA_REPOSITORY, or without it to copies of the files in the site.
- build/site-demo is the folder of the demonstration, which `make site-docs` writes if the module for browsers is built.
"""
import os
import re
import sys

import yaml
from mkdocs.structure.files import File

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import command_pages  # noqa: E402
import header_page  # noqa: E402
import python_page  # noqa: E402
import server_page  # noqa: E402

LINK = re.compile(r"\[([^\[\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
BLOCK_COMMENT = re.compile(r"^<!-- (?:set-up|not run|output varies): .*?-->\n", re.M | re.S)
DOORS = (("Start", "start"), ("How to", "howto"), ("Reference", "reference"), ("Explanation", "explain"), ("Format", "format"))
FIRST = {"start": ["player", "collector", "analyst", "c"], "reference": ["search", "columns", "serve", "page", "sql", "python", "commands"],
         "format": ["archive"]}
DEMO = "# Demonstration\n\nThis site contains the page of Stamma with the sample games of data/games.pgn: %s. The page runs completely " \
       "in your browser, and was written by [`stamma site`](reference/sites.md).\n"
NO_DEMO = "# Demonstration\n\nThis copy of the site has no demonstration, because the module for browsers was not built: run `make wasm`, " \
          "then `make site-docs`. [`stamma site`](reference/sites.md) describes the page.\n"


def build_folder():
    return os.environ.get("BUILD", "build")


def repository():
    return os.environ.get("STAMMA_REPOSITORY", "").rstrip("/")


def home():
    """Returns README.md as a page of the site."""
    with open("README.md", encoding="utf-8") as file:
        return re.sub(r"(?<=\]\()doc/(?!dev/|man/)", "", file.read())


def generated():
    """Returns the text of each generated page by its path."""
    stamma = os.environ.get("STAMMA") or os.path.join(build_folder(), "stamma")
    pages = {"reference/" + path: text for path, text in command_pages.pages(stamma).items()}
    pages["reference/python_api.md"] = python_page.page()
    pages["reference/stamma_h.md"] = header_page.page()
    with open("doc/reference/openapi.yaml", encoding="utf-8") as file:
        pages["reference/endpoints.md"] = server_page.page(yaml.safe_load(file))
    pages["index.md"] = home()
    has_demo = os.path.exists(os.path.join(build_folder(), "site-demo", "index.html"))
    pages["demo.md"] = DEMO % "[open it](demo/index.html)" if has_demo else NO_DEMO
    return pages


def style():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "site.css"), encoding="utf-8") as file:
        return file.read()


def add_folder(files, config, folder, target):
    for path, _, names in os.walk(folder):
        for name in names:
            inner = os.path.join(target, os.path.relpath(os.path.join(path, name), folder))
            files.append(File.generated(config, inner, abs_src_path=os.path.join(os.path.abspath(path), name)))


def move_map(files, config):
    """Makes doc/README.md the page documents.md, because the address of README.md is that of the first page."""
    page = files.get_file_from_path("README.md")
    if page:
        files.remove(page)
        files.append(File.generated(config, "documents.md", content=page.content_string))


def navigation(files):
    paths = {file.src_uri for file in files if file.is_documentation_page()}
    nav = [{"Stamma": "index.md"}, {"Demonstration": "demo.md"}] + ([{"Documents": "documents.md"}] if "documents.md" in paths else [])
    for title, folder in DOORS:
        order = {"%s/%s.md" % (folder, name): place for place, name in enumerate(FIRST.get(folder, []))}
        pages = sorted((path for path in paths if os.path.dirname(path) == folder), key=lambda path: (not path.endswith("README.md"), order.get(path, 99), path))
        if folder == "reference":
            commands = sorted(path for path in paths if path.startswith("reference/commands/"))
            pages.append({"Commands, one by one": commands})
        if pages:
            nav.append({title: pages})
    return nav


def on_files(files, config):
    move_map(files, config)
    for path, text in generated().items():
        files.append(File.generated(config, path, content=text))
    add_folder(files, config, os.path.join(build_folder(), "site-demo"), "demo")
    files.append(File.generated(config, "site.css", content=style()))
    config["nav"] = navigation(files)
    for path in linked_outside(files):
        files.append(File.generated(config, "source/" + path + ".txt", abs_src_path=os.path.abspath(path)))
    return files


def outside(page_path, target):
    """Returns the path in the repository of a link's target outside the site, or None."""
    base = "." if page_path == "index.md" else os.path.join("doc", os.path.dirname(page_path))
    path = os.path.normpath(os.path.join(base, target))
    inside = path.startswith("doc/") and not path.startswith(("doc/dev/", "doc/man/")) or page_path == "index.md" and \
        os.path.exists(os.path.join("doc", path))
    return None if inside or path.startswith("..") or not os.path.exists(path) else path


def linked_outside(files):
    """Returns the files of the repository that pages link to, unless the links lead to the repository."""
    pages = [file for file in files if file.is_documentation_page() and not file.inclusion.is_excluded() and not repository()]
    found = {outside(file.src_uri, target) for file in pages for _, target, _ in LINK.findall(file.content_string)}
    return sorted(path for path in found if path and os.path.isfile(path))


def inside(page_path, target, anchor):
    """Returns the target of a link within the site; empty: a folder without a page."""
    base = os.path.dirname(page_path)
    path = os.path.normpath(os.path.join(base, target))
    if os.path.isdir(os.path.join("doc", path)):
        path = os.path.join(path, "README.md")
        if not os.path.exists(os.path.join("doc", path)):
            return ""
    return os.path.relpath("documents.md" if path == "README.md" else path, base or ".") + (anchor or "")


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri

    def link(match):
        text, target, anchor = match.groups()
        path = outside("README.md" if source == "documents.md" else source, target)
        if path is None:
            address = inside(source, target, anchor)
        elif repository():
            address = "%s/blob/main/%s%s" % (repository(), path, anchor or "")
        else:
            address = "" if os.path.isdir(path) else os.path.relpath("source/" + path + ".txt", os.path.dirname(source) or ".")
        return "[%s](%s)" % (text, address) if address else text

    return LINK.sub(link, BLOCK_COMMENT.sub("", markdown))
