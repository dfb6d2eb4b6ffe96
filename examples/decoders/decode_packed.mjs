/* SPDX-License-Identifier: MIT */
/* Decodes `packed`: a position in at most 24 bytes, which also serve as a key (doc/reference/encodings.md).
 *
 * Input: a line for each position, its bytes in hexadecimal digits. Output: the FEN. Castling rights are the files of the rooks, as
 * Shredder writes them. The number of the move is not stored; it is 1. */
import { readFileSync } from "node:fs";

function placementOf(board) {
    const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => board.slice(8 * rank, 8 * rank + 8).join(""));
    return ranks.join("/").replace(/\.+/g, (empty) => empty.length);
}

export function decode(bytes) {
    let at = 0;
    const bit = () => (bytes[at >> 3] >> (7 - (at++ & 7))) & 1;
    const read = (count) => (count > 0 ? 2 * read(count - 1) + bit() : 0);

    const occupied = Array.from({ length: 64 }, bit).reverse(); // h8 is first
    const side = read(1) ? "w" : "b", clock = read(7), white = read(6), black = read(6);
    const squares = [...occupied.keys()].filter((square) => occupied[square] && square !== white && square !== black);
    const kinds = [];
    while (kinds.length + 1 < squares.length) {
        const pair = read(7);
        kinds.push(Math.floor(pair / 11), pair % 11);
    }
    if (kinds.length < squares.length) kinds.push(read(4));

    const board = Array(64).fill("."), rights = [];
    let enPassant = "-";
    board[white] = "K";
    board[black] = "k";
    squares.forEach((square, n) => {
        const file = square & 7, rank = square >> 3;
        if (kinds[n] < 10) {
            board[square] = "PNBRQpnbrq"[kinds[n]];
        } else if (rank === 0 || rank === 7) { // a rook that may castle
            board[square] = rank === 0 ? "R" : "r";
            rights.push((rank === 0 ? "ABCDEFGH" : "abcdefgh")[file]);
        } else { // a pawn that may be captured en passant
            board[square] = rank === 3 ? "P" : "p";
            enPassant = "abcdefgh"[file] + (rank === 3 ? "3" : "6");
        }
    });
    return [placementOf(board), side, rights.join("") || "-", enPassant, clock, 1].join(" ");
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) console.log(decode(Buffer.from(line, "hex")));
