#!/bin/sh
# SPDX-License-Identifier: MIT
# The workflows and forms in .github are valid YAML. Every command in a workflow exists, and actions have a fixed
# version. The version in CITATION.cff equals the version of the library.
set -eu
[ -d .github ] || { echo "no .github"; exit 77; }
python=python3
$python -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
$python -c 'import yaml' 2>/dev/null || { echo "no PyYAML"; exit 77; }
exec $python - <<'PYTHON'
import glob
import os
import re
import shlex
import sys

import yaml

SYSTEM = {"apt-get", "gh", "git", "mkdir"}
wrong = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_command(path, words):
    """Checks a line of a workflow: `make TARGET...`, or a program of the tree."""
    while words and re.match(r"\w+=", words[0]):
        del words[0]
    if words[0] == "make":
        targets = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        wrong.extend("%s: make has no target %s" % (path, word) for word in targets if word not in TARGETS)
    elif words[0] == "python3":
        check_command(path, words[1:])
    elif words[0] not in SYSTEM and not os.access(words[0], os.X_OK):
        wrong.append("%s: no program %s" % (path, words[0]))


TARGETS = re.findall(r"^([a-z-]+):", read("Makefile") + read("scripts/release/release.mk"), re.M)
workflows = glob.glob(".github/workflows/*.yml")
for path in workflows:
    for job in yaml.safe_load(read(path))["jobs"].values():
        for step in job["steps"]:
            if "uses" in step and not re.search(r"@v\d+\.\d+\.\d+$", step["uses"]):
                wrong.append("%s: %s has no fixed version" % (path, step["uses"]))
            for line in step.get("run", "").splitlines():
                check_command(path, shlex.split(line))
for path in glob.glob(".github/ISSUE_TEMPLATE/*.yml"):
    form = yaml.safe_load(read(path))
    if not path.endswith("/config.yml") and not {"name", "description", "body"} <= form.keys():
        wrong.append("%s: no name, description or body" % path)
version = yaml.safe_load(read("CITATION.cff"))["version"]
headers = "".join(map(read, glob.glob("include/**/*.h", recursive=True)))
if '#define STAMMA_VERSION "%s"' % version not in headers:
    wrong.append("CITATION.cff: version %s is not that of the library" % version)
print("\n".join(wrong) or "%d workflows" % len(workflows))
sys.exit(1 if wrong or not workflows else 0)
PYTHON
