/* SPDX-License-Identifier: MIT */
/* Decodes `tarrasch`: a move in one byte; four bits for the piece, four for its move (doc/reference/encodings.md).
 *
 * Input: a line for each move, its byte, the position before it as FEN, and the sorted legal moves, which are only used if there
 * are too many pieces of a kind; separated by tabs. Output: the move in UCI notation, castling as O-O or O-O-O. The null move is
 * 0000. */
import { readFileSync } from "node:fs";

const STEPS = {
    P: [[0, 1], [0, 2], [-1, 1], [1, 1]],
    N: [[1, 2], [-1, 2], [-2, 1], [2, 1], [1, -2], [-1, -2], [2, -1], [-2, -1]],
    K: [[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]],
};
const OF_THE_KING = { 0x88: "O-O", 0x89: "O-O-O", 0x8f: "0000" };

/* Returns the squares [file, rank] of the side to move by letter, along the files: a1, a2 ... h8. */
function ownPieces(placement, white) {
    const ranks = placement.replace(/\d/g, (digit) => ".".repeat(Number(digit))).split("/").reverse();
    const pieces = { P: [], N: [], B: [], R: [], Q: [], K: [] };
    for (let file = 0; file < 8; file++)
        for (let rank = 0; rank < 8; rank++) {
            const piece = ranks[rank][file], capital = piece.toUpperCase();
            if (piece !== "." && (piece === capital) === white) pieces[capital].push([file, rank]);
        }
    return pieces;
}

function fallsBack({ P, N, B, R, Q }) {
    const dark = B.filter(([file, rank]) => (file + rank) % 2 === 0).length;
    return Q.length > 2 || (Q.length === 2 && P.length > 6) || R.length > 2 || N.length > 2 || dark > 1 || B.length - dark > 1;
}

/* Returns the kind as which a piece moves, and its square. */
function findPiece(own, piece, vector) {
    const second = own.Q.length === 2 && (piece === 6 || piece === 7);
    if (second || piece === 12 || piece === 15) return [piece === 6 || piece === 12 ? "B" : "R", own.Q[second ? 1 : 0]];
    if (piece < 8) return ["P", own.P[piece]];
    if (piece === 10 || piece === 11) return ["B", own.B.find(([file, rank]) => (file + rank) % 2 === 11 - piece)];
    return piece === 8 ? ["K", own.K[0]] : piece === 9 ? ["N", own.N[vector >> 3]] : ["R", own.R[piece - 13]];
}

export function decode(code, fen, legal) {
    const [placement, side] = fen.split(" "), own = ownPieces(placement, side === "w"), vector = code & 15;
    if (fallsBack(own)) return code < 255 ? legal[code] : "0000";
    if (OF_THE_KING[code]) return OF_THE_KING[code];
    const [kind, [file, rank]] = findPiece(own, code >> 4, vector), promotes = kind === "P" && vector > 3;
    let target = vector < 8 ? [vector, rank] : [file, vector - 8]; // rook: a file of this rank, or a rank of this file
    if (kind === "B") target = [vector & 7, rank + ((vector & 7) - file) * (vector < 8 ? 1 : -1)]; // rising, falling diagonal
    if (kind in STEPS) {
        const [x, y] = STEPS[kind][promotes ? [0, 2, 3][(vector >> 2) - 1] : vector & 7];
        target = [file + x, rank + (kind === "P" && side === "b" ? -y : y)];
    }
    const name = ([x, y]) => "abcdefgh"[x] + "12345678"[y];
    return name([file, rank]) + name(target) + (promotes ? "nbrq"[vector & 3] : "");
}

for (const line of readFileSync(0, "utf8").trimEnd().split("\n")) {
    const [code, fen, legal] = line.split("\t");
    console.log(decode(Number(code), fen, legal.split(" ")));
}
