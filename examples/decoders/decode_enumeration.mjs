/* SPDX-License-Identifier: MIT */
/* Decodes `enumeration`: a number for every possible move, without a position (doc/reference/encodings.md).
 *
 * Input: a line for each move, its number. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is 0000. */
import { readFileSync } from "node:fs";

const SIDE = 22678; // numbers of each side
const LINES = [[1, 1], [-1, 1], [1, -1], [-1, -1], [1, 0], [-1, 0], [0, 1], [0, -1]]; // diagonals first
const JUMPS = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
// The first number of each piece; its steps, and how often they can be repeated.
const PIECES = [["Q", 13942, LINES, 7], ["R", 8566, LINES.slice(4), 7], ["B", 5206, LINES.slice(0, 4), 7],
    ["N", 3190, JUMPS, 1], ["K", 670, LINES, 1]];

/* Returns all pairs of an origin and a target on the empty board, in ascending order. */
function pairs(steps, length) {
    const found = [];
    for (let from = 0; from < 64; from++)
        for (const [x, y] of steps)
            for (let n = 1; n <= length; n++) {
                const file = (from & 7) + n * x, rank = (from >> 3) + n * y;
                if (file >= 0 && file < 8 && rank >= 0 && rank < 8) found.push([from, 8 * rank + file]);
            }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/* Returns the squares of a pawn's capture: way 0 is axb, 1 is bxa, 2 is bxc ... 13 is hxg. */
function capture(rank, way) {
    const from = 8 * rank + ((way + 1) >> 1);
    return [from, from + (way & 1 ? 7 : 9)];
}

/* Returns origin, target, promotion and captured piece of a pawn's move, as White sees them. */
function pawnMove(n) {
    if (n < 32) return [48 + (n >> 2), 56 + (n >> 2), "nbrq"[n & 3], ""];
    if (n < 256) return [...capture(6, (n - 32) >> 4), "nbrq"[((n - 32) >> 2) & 3], "NBRQ"[n & 3]];
    if (n < 264) return [n - 256 + 8, n - 256 + 24, "", ""];
    if (n < 304) return [n - 264 + 8, n - 264 + 16, "", ""];
    if (n < 654) return [...capture(1 + Math.floor((n - 304) / 70), Math.floor((n - 304) / 5) % 14), "", "PNBRQ"[(n - 304) % 5]];
    return [...capture(4, n - 654), "", "P"]; // en passant
}

/* Returns the moving piece, the move in UCI notation, and the captured piece. */
export function decode(number) {
    if (number === 2 * SIDE) return ["", "0000", ""];
    const black = number >= SIDE, n = number % SIDE;
    if (n === 668 || n === 669) return ["K", n === 668 ? "O-O" : "O-O-O", ""];
    const name = (square) => "abcdefgh"[square & 7] + "12345678"[square >> 3];
    if (n < 668) {
        const [from, to, promotion, captured] = pawnMove(n), flip = black ? 56 : 0;
        return ["P", name(from ^ flip) + name(to ^ flip) + promotion, captured];
    }
    const [piece, first, steps, length] = PIECES.find((entry) => n >= entry[1]);
    return [piece, pairs(steps, length)[Math.floor((n - first) / 6)].map(name).join(""), ["", ..."PNBRQ"][(n - first) % 6]];
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) console.log(decode(Number(line))[1]);
