#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mypy --strict and pyright (strict) accept python/tests/user_program.py, a program outside the package, with the package
# as it is installed from its wheel: its stubs and py.typed are in the wheel. Both report a wrong type.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "types do not depend on sanitizers"; exit 77; }
root=$PWD build=$(realpath "${BUILD:-build}")
python=${PYTHON:-python3} cache=$(dirname "$(scripts/setup --modules)")
[ -d "$cache/checks/mypy" ] || { echo "there is no mypy (scripts/setup --test)"; exit 77; }
command -v npm >/dev/null || { echo "there is no npm"; exit 77; }
[ -e "$build/libstamma.a" ] || { echo "the library is not built"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root"/scripts/packages/types/* "$work/"
npm ci --fetch-retries=1 --no-audit --no-fund --ignore-scripts --prefix "$work" >"$work/log" 2>&1 ||
    { echo "pyright cannot be installed"; exit 77; }

# A wheel is built from a copy, because setuptools leaves files in the tree.
cp -R python "$work/python"
ln -s "$root/include" "$root/bindings" "$root/LICENSE" "$work/"
STAMMA_LIBRARY=$build/libstamma.a "$python" -m pip --disable-pip-version-check wheel -q --no-deps -w "$work/out" \
    "$work/python" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$python" -m venv "$work/user"
"$work/user/bin/pip" --disable-pip-version-check install -q --no-index --no-deps "$work"/out/stamma-*.whl
cp -R "$cache/python/chess" "$work/user/lib/"python3*/site-packages/ # the program also passes objects of python-chess

mkdir "$work/programs"
cp python/tests/user_program.py "$work/programs/right.py"
sed 's/^count: int = /count: str = /;s/^    count: int = /    count: str = /' "$work/programs/right.py" >"$work/programs/wrong.py"
printf '{"strict": ["."], "reportPrivateUsage": false, "reportUnusedImport": false, "reportMissingModuleSource": false}\n' \
    >"$work/programs/pyrightconfig.json"
cd "$work/programs"
check() { # PROGRAM
    PYTHONPATH=$cache/checks "$python" -m mypy --strict --python-executable "$work/user/bin/python" --cache-dir "$work/mypy" "$1"
}
check right.py
"$work/node_modules/.bin/pyright" --pythonpath "$work/user/bin/python" right.py
if check wrong.py >"$work/log" 2>&1; then echo "mypy does not report a wrong type"; exit 1; fi
if "$work/node_modules/.bin/pyright" --pythonpath "$work/user/bin/python" wrong.py >"$work/log" 2>&1; then
    echo "pyright does not report a wrong type"
    exit 1
fi
