/* SPDX-License-Identifier: MIT */
// Codes of whole games without a model: legal-index-radix and gap-codes.

import { BISHOP, KING_SIDE, KNIGHT, NONE, NULL_MOVE, PAWN, ROOK, isSameMove } from './chess_rules.mjs';
import { squareNamed } from './chess_notation.mjs';
import { bitsFor } from './indexed_move_codes.mjs';
import { gameString, readGameString } from './game_strings.mjs';
import { Reader, digits } from './position_bits.mjs';
import { moveOfText } from './test_games.mjs';

// ---------------------------------------------------------------------------------------------------- legal-index-radix

const lengthOf = number => (number > 0n ? number.toString(2).length : 0);

// The number i1 + n1 (i2 + n2 (i3 + ...)), lowest bit first.
export function encodeRadix(root, moves) {
  let node = root, number = 0n, product = 1n;
  for (const move of moves) {
    if (!move.isNull) {
      number += product * BigInt(node.indexOf(move));
      product *= BigInt(node.moves.length);
    }
    node = node.next(move);
  }
  const width = lengthOf(product - 1n);
  const bits = width ? [...number.toString(2).padStart(width, '0')].reverse().join('') : '';
  return { bits: width, hex: gameString(moves, bits) };
}

export function decodeRadix(root, hex) {
  const { plies, nulls, bits } = readGameString(hex), moves = [];
  let node = root, number = BigInt('0b0' + [...bits].reverse().join(''));
  for (let ply = 0; ply < plies; ply++) {
    const count = BigInt(node.moves.length || 1);
    const move = nulls.has(ply) ? NULL_MOVE : node.moves[Number(number % count)];
    if (!move) throw new RangeError('no legal move');
    if (!move.isNull) number /= count;
    moves.push(move);
    node = node.next(move);
  }
  return moves;
}

// ------------------------------------------------------------------------------------------------------------ gap-codes

// Patterns: each step is a test of a move; the second argument is the move before.
const castles = move => move.castle === KING_SIDE;
const takes = (type, taken) => move => move.type === type && move.taken === taken;
const takesBack = (move, before) => move.taken !== NONE && move.to === before.to;
const advancesTo = name => move => move.type === PAWN && move.taken === NONE && move.to === squareNamed(name);
const PATTERNS = [
  [castles, castles], [takes(PAWN, PAWN), takes(PAWN, PAWN)], [takes(ROOK, ROOK), takes(ROOK, ROOK)],
  ...['h6', 'a6', 'h3', 'a3'].map(name => [advancesTo(name), takes(BISHOP, KNIGHT), takesBack]),
];

// The moves of a pattern, or null if a step does not match exactly one legal move.
function movesOfPattern(node, pattern) {
  const moves = [];
  for (const step of pattern) {
    const found = node.moves.filter(move => step(move, moves.at(-1)));
    if (found.length !== 1) return null;
    moves.push(found[0]);
    node = node.next(found[0]);
  }
  return moves;
}

// A line of the book is "moves so far | moves"; the lines are read once, as moves by the text before the bar.
export function readBook(root, text) {
  const book = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const [before, after] = line.split('|').map(part => part.trim().split(/\s+/).filter(Boolean));
    let node = root;
    const play = word => { const move = moveOfText(node.position, word); node = node.next(move); return move; };
    before.forEach(play);
    const key = keyOf(node.history);
    book.set(key, [...(book.get(key) ?? []), after.map(play)]);
  }
  return book;
}

const keyOf = history => history.map(move => `${move.from} ${move.to} ${move.promotion} ${Boolean(move.isNull)}`).join(',');

function sequencesAt(node, book) {
  if (node.sequences) return node.sequences;
  const unused = 2 ** bitsFor(node.moves.length) - node.moves.length;
  const patterns = unused ? PATTERNS.map(pattern => movesOfPattern(node, pattern)).filter(Boolean) : [];
  const lines = book && unused ? book.get(keyOf(node.history)) ?? [] : [];
  return (node.sequences = [...patterns, ...lines].slice(0, unused));
}

const matches = (sequence, moves, at) =>
  sequence.every((move, index) => moves[at + index] && isSameMove(move, moves[at + index]));

// `book` is null in games that do not begin in the initial position.
export function encodeGaps(root, moves, book) {
  let node = root, bits = '';
  for (let at = 0; at < moves.length;) {
    if (moves[at].isNull) { node = node.next(moves[at++]); continue; }
    const width = bitsFor(node.moves.length), sequences = sequencesAt(node, book);
    let best = null;
    for (const sequence of sequences) if (matches(sequence, moves, at) && sequence.length > (best?.length ?? 0)) best = sequence;
    bits += digits(best ? node.moves.length + sequences.indexOf(best) : node.indexOf(moves[at]), width);
    for (const move of best ?? [moves[at]]) { node = node.next(move); at++; }
  }
  return { bits: bits.length, hex: gameString(moves, bits) };
}

export function decodeGaps(root, hex, book) {
  const { plies, nulls, bits } = readGameString(hex), reader = new Reader(bits), moves = [];
  let node = root;
  while (moves.length < plies) {
    const number = nulls.has(moves.length) ? -1 : reader.read(bitsFor(node.moves.length)), count = node.moves.length;
    const next = number < 0 ? [NULL_MOVE] : number < count ? [node.moves[number]] : sequencesAt(node, book)[number - count];
    if (!next) throw new RangeError('an unused code');
    for (const move of next) { moves.push(move); node = node.next(move); }
  }
  return moves;
}
