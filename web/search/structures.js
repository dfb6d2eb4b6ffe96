/* SPDX-License-Identifier: MIT */
// Pawn structures: a board with P, p, x (no pawn) or '' (anything) for each square, the rule for it, and the structures
// that have names.

import { ANYTHING, toSubFen } from '../base/pattern.js';

const NO_PAWN = '[KQRBNkqrbn.]'; // in `sub-fen`: a piece, or nothing
const WORD = /^[Ppx]?$/;

const index = (square) => 'abcdefgh'.indexOf(square[0]) + 8 * (8 - Number(square[1]));

/* The squares of a file without pawns: "c2-5" is c2, c3, c4 and c5. */
const without = (text) => text.split(' ').filter(Boolean).flatMap((one) => {
  const [low, high = low] = one.slice(1).split('-').map(Number);
  return Array.from({ length: high - low + 1 }, (_, i) => `${one[0]}${low + i}`);
});

/* Name, white pawns, black pawns, squares without pawns. Other squares may have anything. */
const NAMED = [
  ['Carlsbad (Exchange Variation)', 'd4 e3', 'c6 d5', 'c2-5 e4-7'],
  ['French chain (Advance Variation)', 'd4 e5', 'd5 e6', ''],
  ['Isolated queen’s pawn of White', 'd4', 'e6', 'c2-7 e2-5 d5-7'],
  ['Hanging pawns of White', 'c4 d4', 'e6', 'b2-4 e2-5 c5-7 d5-7'],
  ['Hedgehog', 'c4 e4', 'a6 b6 d6 e6', 'd2-5 c5-7'],
  ['Maróczy bind', 'c4 e4', 'd6 g6', 'd2-5 c5-7'],
  ['Stonewall of Black (Dutch)', 'd4', 'c6 d5 e6 f5', ''],
  ['Stonewall of White', 'c3 d4 e3 f4', 'd5', ''],
  ['Modern Benoni', 'd5 e4', 'c5 d6 g6', 'c2-4 e5-7'],
  ['Czech Benoni', 'c4 d5 e4', 'c5 d6 e5', ''],
  ['King’s Indian chain', 'c4 d5 e4', 'd6 e5', 'c5'],
  ['Najdorf (pawn on e5)', 'e4', 'a6 d6 e5', 'd2-5 c4-7'],
  ['Scheveningen (Najdorf with e6)', 'e4', 'a6 d6 e6', 'd2-5 c4-7'],
  ['Dragon', 'e4', 'd6 e7 f7 g6 h7', 'd2-5 c5-7'],
  ['Slav and Caro-Kann formation', 'd4', 'c6 e6', 'd5-7 e2-5'],
  ['Spanish centre (closed)', 'c3 d4 e4', 'd6 e5', ''],
];

/** The named structures: {name, pawns}, each as a text of eight ranks. */
export const STRUCTURES = NAMED.map(([name, white, black, none]) => {
  const squares = [...ANYTHING];
  for (const [kind, list] of [['x', without(none)], ['P', white.split(' ')], ['p', black.split(' ')]]) for (const square of list) squares[index(square)] = kind;
  return { name, pawns: toSubFen(squares) };
});

/** Returns the squares of a text of eight ranks; null if it is no pawn structure. */
export function pawnSquares(text) {
  const ranks = (text ?? '').split('/').map((rank) => [...rank.replace(/[1-8]/g, (n) => ' '.repeat(Number(n)))].map((c) => c.trim()));
  return ranks.length === 8 && ranks.every((rank) => rank.length === 8 && rank.every((c) => WORD.test(c))) ? ranks.flat() : null;
}

/** Returns the rule for a text: these pawns and perhaps more, or with `exactly` no others. null: there are no pawns. */
export function pawnRule(text, exactly) {
  const squares = pawnSquares(text);
  if (!squares || squares.every((square) => square === '')) return null;
  if (exactly) return { pawns: toSubFen(squares.map((square) => square.replace('x', ''))) };
  // Each rank separately: toSubFen joins empty squares, and brackets are one square.
  return { 'sub-fen': toSubFen(squares).replace(/x/g, NO_PAWN) };
}

/** Returns {text, exactly} of a rule; null if the rule is no pawn structure. */
export function structureOf(rule) {
  const text = rule.pawns ?? (typeof rule['sub-fen'] === 'string' ? rule['sub-fen'].replaceAll(NO_PAWN, 'x') : null);
  const squares = typeof text === 'string' && pawnSquares(text);
  return squares && squares.some((square) => square !== '') ? { text: toSubFen(squares), exactly: rule.pawns !== undefined } : null;
}
