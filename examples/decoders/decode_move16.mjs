/* SPDX-License-Identifier: MIT */
/* Decodes `move16`: a move in 16 bits, as engines keep it in memory (doc/reference/encodings.md).
 *
 * Input: a line for each move, its number. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is 0000. */
import { readFileSync } from "node:fs";

const square = (number) => "abcdefgh"[number & 7] + "12345678"[number >> 3];

export function decode(code) {
    if (code === 0) return "0000";
    const flags = code >> 12;
    if (flags === 6 || flags === 7) throw new RangeError("flags that no move has");
    if (flags === 2 || flags === 3) return flags === 2 ? "O-O" : "O-O-O";
    const promotion = flags & 8 ? "nbrq"[flags & 3] : "";
    return square((code >> 6) & 63) + square(code & 63) + promotion;
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) console.log(decode(Number(line)));
