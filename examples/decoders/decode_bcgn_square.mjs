/* SPDX-License-Identifier: MIT */
/* Decodes `bcgn-square`: a move in one byte, as level 1 of Stamma's archives stores it (doc/reference/encodings.md).
 *
 * Input: a line for each move, its byte, the position before it as FEN, and the sorted legal moves, which are only used in
 * positions with very many queens; separated by tabs. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is
 * 0000. */
import { readFileSync } from "node:fs";

const BOUNDS = { P: 12, N: 8, B: 13, R: 14, Q: 27, K: 8 }; // the most moves of a piece from one square
const name = (square) => "abcdefgh"[square & 7] + "12345678"[square >> 3];

/* Returns the pieces of the side to move as [square, capital letter], from a1 to h8. */
function ownPieces(placement, white) {
    const board = placement.replace(/\d/g, (digit) => ".".repeat(Number(digit))).split("/").reverse().join("");
    return [...board].flatMap((piece, square) => {
        const own = piece !== "." && (piece === piece.toUpperCase()) === white;
        return own ? [[square, piece.toUpperCase()]] : [];
    });
}

/* Returns whether a piece attacks a square from another on the empty board. */
function attacks(kind, from, to) {
    const x = Math.abs((from & 7) - (to & 7)), y = Math.abs((from >> 3) - (to >> 3));
    const straight = (x === 0) !== (y === 0), diagonal = x === y && x > 0;
    if (kind === "N") return x * y === 2;
    if (kind === "K") return x < 2 && y < 2 && from !== to;
    return (kind !== "B" && straight) || (kind !== "R" && diagonal);
}

function pawnMove(square, index, white) {
    const way = index >> 2, extra = index & 3; // way 0 captures towards the a-file, 1 advances, 2 captures towards the h-file
    const promotes = square >> 3 === (white ? 6 : 1);
    const ranks = way === 1 && extra === 1 && !promotes ? 2 : 1;
    return name(square) + name(square + (white ? 8 : -8) * ranks + way - 1) + (promotes ? "nbrq"[extra] : "");
}

export function decode(code, fen, legal) {
    const [placement, side] = fen.split(" "), white = side === "w", pieces = ownPieces(placement, white);
    if (code === 255) return "0000";
    if (pieces.reduce((sum, [, kind]) => sum + BOUNDS[kind], 0) > 255) return legal[code];
    for (const [square, kind] of pieces) {
        if (code >= BOUNDS[kind]) {
            code -= BOUNDS[kind];
            continue;
        }
        if (kind === "P") return pawnMove(square, code, white);
        const targets = [...Array(64).keys()].filter((to) => attacks(kind, square, to));
        if (code < targets.length) return name(square) + name(targets[code]);
        return code === 6 ? "O-O" : "O-O-O"; // a king on the edge has at most five steps
    }
    throw new RangeError("no piece has this code");
}

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
    const [code, fen, legal] = line.split("\t");
    console.log(decode(Number(code), fen, legal.split(" ")));
}
