#!/usr/bin/env bash
# Each recipe of the cookbook runs, in the order of the page, and prints what the page shows.
set -eu
root=$PWD build=$(realpath "${BUILD:-build}") stamma=$(realpath "${STAMMA:-${BUILD:-build}/stamma}")
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }
[ -x "$stamma" ] || { echo "no command is built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$stamma" "$work/bin/stamma"
# The library as it was built, not as it may be installed.
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
cd "$work/run"
PATH="$work/bin:$PATH" python3 - "$root/doc/cookbook.md" <<'PYTHON'
import re, subprocess, sys
page = open(sys.argv[1], encoding="utf-8").read()
recipes = re.split(r"^## ", page, flags=re.M)[1:]
failed = shown = 0
for recipe in recipes:
    title = recipe.split("\n", 1)[0]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", recipe, flags=re.M | re.S)
    printed = wanted = ""
    for kind, text in blocks:
        if kind == "c":
            open(re.match(r"/\* (\w+\.c):", text).group(1), "w").write(text)
        elif kind == "sh":
            run = subprocess.run(["bash", "-euc", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
            printed += run.stdout.decode()
            if run.returncode:
                failed += 1
                print(title + ": status", run.returncode, "and", run.stdout.decode())
        elif kind == "text":
            wanted += text
            shown += 1
    if printed != wanted:
        failed += 1
        print(title + ": prints\n" + printed + "and not\n" + wanted)
print(len(recipes), "recipes,", failed, "failed")
sys.exit(failed > 0 or len(recipes) != 20 or shown != 20)
PYTHON
