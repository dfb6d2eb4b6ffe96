#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that uses a codec which does not need the predictor is linked without the predictor's weights, and is small.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "sizes are those of a plain build"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/one_codec.c" <<'END'
#include <stamma.h>
#include <stdio.h>
int main(void)
{
    stamma_position position = stamma_position_start();
    const stamma_codec *codec = FIND(stamma_text_of("tarrasch"));
    stamma_code code;
    if (!codec || FIND(stamma_text_of("Tarrasch")) || stamma_codec_encode(codec, &position, 0x131C, &code) != STAMMA_OK)
        return 1;
    printf("%u\n", (unsigned)code.value);
    return 0;
}
END
# size_with FUNCTION: prints the size of the program, without symbols and debug information.
size_with() {
    # shellcheck disable=SC2086
    $CC -std=c11 $CFLAGS "-DFIND=$1" -Iinclude "$work/one_codec.c" "$BUILD/libstamma.a" -lzstd -lbz2 -lxxhash -lm -o "$work/$1"
    [ "$("$work/$1")" = 65 ]
    strip "$work/$1"
    wc -c <"$work/$1"
}
all=$(size_with stamma_codec_find)
without=$(size_with stamma_codec_find_without_model)
echo "$all bytes with the predictor, $without without"
[ "$without" -lt 1000000 ]
