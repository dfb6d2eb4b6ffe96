/* SPDX-License-Identifier: MIT */
/* Decodes a game of `legal-index-bits`: each move is its number among the n legal moves, in ceil(log2 n) bits (doc/reference/encodings.md).
 *
 * Input: a line for each game, its bytes in hexadecimal digits, and after a tab the legal moves before each ply. The moves of a
 * ply are sorted and separated by blanks, the plies by commas. A program with a move generator makes the lists while it plays the
 * moves. Output: the moves of each game. The null move is 0000. */
import { readFileSync } from "node:fs";

/* Reads numbers of seven bits per byte, the lowest first, and bits, the highest first. */
class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0; // in bits
    }
    bits(count) {
        let value = 0;
        for (; count > 0; count--, this.at++) value = 2 * value + ((this.bytes[this.at >> 3] >> (7 - (this.at & 7))) & 1);
        return value;
    }
    varint() {
        const byte = this.bits(8);
        return byte < 128 ? byte : byte - 128 + 128 * this.varint();
    }
}

/* Returns the number of plies, and the plies that are null moves. */
function readFront(reader) {
    const count = reader.varint(), nulls = new Set();
    if (count % 2 === 1)
        for (let listed = reader.varint(), ply = 0; listed > 0; listed--, ply++) nulls.add((ply += reader.varint()));
    return { plies: Math.floor(count / 2), nulls };
}

/* Returns the moves. legalMoves(moves) returns the sorted legal moves after these moves. */
export function decode(bytes, legalMoves) {
    const reader = new Reader(bytes), { plies, nulls } = readFront(reader), moves = [];
    while (moves.length < plies) {
        if (nulls.has(moves.length)) {
            moves.push("0000");
            continue;
        }
        const legal = legalMoves(moves);
        moves.push(legal[reader.bits(Math.ceil(Math.log2(legal.length)))]);
    }
    return moves;
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
    const [code, lists] = line.split("\t"), legal = lists.split(",").map((text) => text.split(" "));
    console.log(decode(Buffer.from(code, "hex"), (moves) => legal[moves.length]).join(" "));
}
