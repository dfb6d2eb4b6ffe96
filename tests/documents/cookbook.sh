#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each recipe of the cookbook runs, in the order of the page, and prints the output that the page shows. Python recipes
# whose modules are missing are skipped with a message. Nothing is downloaded: the test makes the zip file.
set -eu
case ${SANITIZE:-} in *memory*) echo "the HTTP library is not built with the memory sanitizer"; exit 77 ;; esac
root=$PWD build=$(realpath "${BUILD:-build}") stamma=$(realpath "${STAMMA:-${BUILD:-build}/stamma}")
modules=$(dirname "$(scripts/setup --modules)")/python
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }
[ -x "$stamma" ] || { echo "no command is built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$stamma" "$work/bin/stamma"
# Use the library in $BUILD, not an installed library.
cat >"$work/bin/pkg-config" <<SH
#!/bin/sh
echo -I$root/include ${SANITIZE:+-fsanitize=$SANITIZE} $build/libstamma.a -lzstd -lbz2 -lxxhash -lm
SH
# shellcheck disable=SC2086
set -- ${CC:-cc}
compiler=$(command -v "$1")
shift
printf '#!/bin/sh\nexec %s "$@"\n' "$compiler $*" >"$work/bin/cc"
chmod +x "$work/bin/pkg-config" "$work/bin/cc"
cp data/games.pgn "$work/run/"
# The folder of modules may be for another version of Python. Recipes whose modules cannot be imported are skipped.
if [ -d "$modules" ]; then
    PYTHONPATH=$modules${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
fi
# Python's package, unless a sanitizer would have to be loaded before Python.
if [ -z "${SANITIZE:-}" ] && scripts/build_python "$work/package" 2>/dev/null; then
    PYTHONPATH=$work/package${PYTHONPATH:+:$PYTHONPATH}
    export PYTHONPATH
fi
cd "$work/run"
PATH="$work/bin:$PATH" python3 - "$root/doc/howto/cookbook.md" <<'PYTHON'
import re, subprocess, sys, zipfile
page = open(sys.argv[1], encoding="utf-8").read()
recipes = re.split(r"^## ", page, flags=re.M)[1:]
failed = shown = skipped = 0

# The file that the recipe would download: the last three games of the collection.
games = open("games.pgn", encoding="utf-8", newline="").read().split("[Event ")[1:]
with zipfile.ZipFile("twic1500g.zip", "w") as archive:
    archive.writestr("twic1500.pgn", "".join("[Event " + game for game in games[:3]))

def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, done.stdout.decode()

for recipe in recipes:
    title = recipe.split("\n", 1)[0]
    printed, left_out = "", False
    for kind, text in re.findall(r"^```(\w+)\n(.*?)^```$", recipe, flags=re.M | re.S):
        status, output = 0, ""
        if kind == "c":
            open(re.match(r"/\* (\w+\.c):", text).group(1), "w").write(text)
        elif kind == "sh":
            status, output = run(["bash", "-euc", text])
        elif kind == "python":
            modules = ", ".join(re.findall(r"^import (\w+)", text, flags=re.M))
            left_out = run([sys.executable, "-c", "import " + modules])[0] != 0
            if left_out:
                skipped += 1
                print(title + ": there is no " + modules + ", left out")
            else:
                status, output = run([sys.executable, "-c", text])
        elif kind == "text":
            shown += 1
            if printed != text and not left_out:
                failed += 1
                print(title + ": prints\n" + printed + "and not\n" + text)
            printed, left_out = "", False
        if status:
            failed += 1
            print(title + ": status", status, "and", output)
        printed += output
    if printed:
        failed += 1
        print(title + ": prints\n" + printed + "which is not shown")
print(len(recipes), "recipes,", shown, "shown,", failed, "failed,", skipped, "left out")
sys.exit(failed > 0 or len(recipes) < 34 or shown != page.count("\n```text\n"))
PYTHON
