#!/bin/sh
# SPDX-License-Identifier: MIT
# The plain copy of the public header declares every exported function and compiles, and cffi can read it and call the
# library.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
generators/plain_header.py >"$work/plain.h"
! grep -qE '^#(if|else|endif|include)|STAMMA_API|inline' "$work/plain.h" || { echo "not plain"; exit 1; }
{ printf '#include <%s>\n' stdbool.h stddef.h stdint.h; cat "$work/plain.h"; } >"$work/plain.c"
$CC -std=c11 -Wall -Wextra -Werror -c -o "$work/plain.o" "$work/plain.c"
declared=$(grep -cE '^[^ #/*}].*\bstamma_[a-z0-9_]+\(' "$work/plain.h")
promised=$(cat include/stamma/*.h | grep -c '^STAMMA_API ')
[ "$declared" -ge "$promised" ] || { echo "$declared functions of $promised are declared"; exit 1; }

# The declarations of the crate stamma-sys are generated from it.
if python3 -c 'import pycparser' 2>/dev/null; then
    generators/rust_declarations.py | cmp - bindings/rust/stamma-sys/src/declarations.rs
fi

for python in python3 /usr/bin/python3; do
    "$python" -c 'import cffi' 2>/dev/null || continue
    [ -z "$SANITIZE" ] || break # the interpreter is not built with sanitizers
    "$python" - "$work/plain.h" "$BUILD"/libstamma.so <<'PYTHON'
import sys
import cffi
ffi = cffi.FFI()
with open(sys.argv[1]) as header:
    ffi.cdef(header.read())
library = ffi.dlopen(sys.argv[2])
position = library.stamma_position_start()
moves = ffi.new("stamma_move[]", library.STAMMA_MOVES_MAX)
count = library.stamma_legal_moves(ffi.addressof(ffi.new("stamma_position *", position)[0]), moves)
assert count == 20, count
assert {library.stamma_move_from(moves[i]) for i in range(count)} == {*range(8, 16), 1, 6}
print("cffi reads the header and calls the library")
PYTHON
    exit
done
echo "no cffi: only the compiler read the plain header"
