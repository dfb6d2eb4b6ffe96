/* SPDX-License-Identifier: MIT */
// Codes of one move, independent of the position: move16, butterfly, move32, enumeration, move14, move12; and direction-target.

import {
  BISHOP, BLACK, DIRECTIONS, JUMPS, KING, KING_SIDE, KNIGHT, NONE, PAWN, QUEEN, ROOK, attacksOnEmptyBoard, fileOf,
  isStandardCastling, offset, rankOf,
} from './chess_rules.mjs';

const code = (bits, value) => ({ bits, value });
const squares = (from, to) => from * 64 + to;

function flagsOf(move) {
  if (move.castle) return move.castle === KING_SIDE ? 2 : 3;
  if (move.passing) return 5;
  const capture = move.taken === NONE ? 0 : 4;
  if (move.promotion !== NONE) return 8 + capture + move.promotion - KNIGHT;
  return capture + (move.double ? 1 : 0);
}

const numberOf16 = move => (move.isNull ? 0 : flagsOf(move) * 4096 + squares(move.from, move.to));

export const move16 = (view, move) => code(16, numberOf16(move));
export const butterfly = (view, move) => (move.isNull ? null : code(12, numberOf16(move) % 4096));

// The score is MVV-LVA; the null move is 0.
export function move32(view, move) {
  if (move.isNull) return code(32, 0);
  const score = move.taken === NONE ? 0 : 8 * (move.taken + 1) - move.type;
  const taken = move.taken === NONE ? 6 : move.taken;
  return code(32, ((score * 8 + taken) * 8 + move.type) * 65536 + numberOf16(move));
}

// The target of castling in the codes without a flag: the king's destination in standard castling, otherwise the own rook.
const plainTarget = (move, side) => (move.castle && !isStandardCastling(move, side) ? move.rook : move.to);

export function move14(view, move) {
  if (move.isNull) return code(14, 0);
  const promotion = move.promotion === NONE ? 0 : move.promotion - KNIGHT;
  return code(14, promotion * 4096 + squares(move.from, plainTarget(move, view.position.side)));
}

// An under-promotion is a target that the pawn cannot reach.
export function move12(view, move) {
  if (move.isNull) return code(12, 0);
  const { side } = view.position;
  if (move.promotion === NONE) return code(12, squares(move.from, plainTarget(move, side)));
  const back = 8 * (QUEEN - move.promotion);
  return code(12, squares(move.from, side === BLACK ? move.to + back : move.to - back));
}

// ---------------------------------------------------------------------------------------------------------- enumeration

// The ranks of Black's pawns are reversed, and the numbers of Black are greater by 22,678.
const SIDE_NUMBERS = 22678;
const FIRST_OF_TYPE = { [KING]: 670, [KNIGHT]: 3190, [BISHOP]: 5206, [ROOK]: 8566, [QUEEN]: 13942 };

// The number of the pair of squares among those of a type: by origin and then by target.
function pairNumbers(type) {
  const numbers = new Map();
  for (let from = 0; from < 64; from++)
    for (const to of attacksOnEmptyBoard(from, type)) numbers.set(squares(from, to), numbers.size);
  return numbers;
}
const PAIRS = Object.fromEntries([KING, KNIGHT, BISHOP, ROOK, QUEEN].map(type => [type, pairNumbers(type)]));

// The 14 ways of a pawn's capture: a to b, b to a, b to c ... h to g.
const wayOf = (from, to) => 2 * fileOf(from) + (fileOf(to) > fileOf(from) ? 1 : 0) - 1;

function pawnNumber(move, from, to) {
  const way = wayOf(from, to), file = fileOf(from), rank = rankOf(from);
  if (move.promotion !== NONE && move.taken === NONE) return 4 * file + move.promotion - KNIGHT;
  if (move.promotion !== NONE) return 32 + (way * 4 + move.promotion - KNIGHT) * 4 + move.taken - KNIGHT;
  if (move.double) return 256 + file;
  if (move.taken === NONE) return 264 + (rank - 1) * 8 + file;
  if (move.passing) return 654 + way;
  return 304 + ((rank - 1) * 14 + way) * 5 + move.taken;
}

function pieceNumber(move) {
  const victim = move.taken === NONE ? 0 : move.taken + 1;
  return FIRST_OF_TYPE[move.type] + 6 * PAIRS[move.type].get(squares(move.from, move.to)) + victim;
}

export function enumeration(view, move) {
  if (move.isNull) return code(16, 2 * SIDE_NUMBERS);
  const { side } = view.position, turn = side === BLACK ? 56 : 0;
  const from = move.from ^ turn, to = move.to ^ turn;
  let number;
  if (move.castle) number = 668 + move.castle - 1;
  else if (move.type === PAWN) number = pawnNumber(move, from, to);
  else number = pieceNumber(move);
  return code(16, side === BLACK ? SIDE_NUMBERS + number : number);
}

// ----------------------------------------------------------------------------------------------------- direction-target

// The numbers of the pairs, by target and then by direction of the move.
const STEPS = [...DIRECTIONS, ...JUMPS];
function directionNumbers() {
  const numbers = new Map();
  for (let target = 0; target < 64; target++)
    STEPS.forEach(([files, ranks], step) => {
      if (offset(target, -files, -ranks) >= 0) numbers.set(target * 16 + step, numbers.size);
    });
  return numbers;
}
const DIRECTION_NUMBERS = directionNumbers();

function stepOf(from, to, type) {
  const files = fileOf(to) - fileOf(from), ranks = rankOf(to) - rankOf(from);
  if (type === KNIGHT) return 8 + JUMPS.findIndex(jump => jump[0] === files && jump[1] === ranks);
  return DIRECTIONS.findIndex(step => step[0] === Math.sign(files) && step[1] === Math.sign(ranks));
}

// The ways to the last rank, by target file and then by origin file from the right.
const PROMOTION_WAYS = [];
for (let to = 0; to < 8; to++)
  for (let from = Math.min(to + 1, 7); from >= Math.max(to - 1, 0); from--) PROMOTION_WAYS.push(from * 8 + to);

export function directionTarget(view, move) {
  if (move.isNull) return code(10, 1023);
  if (move.promotion !== NONE && move.promotion !== QUEEN)
    return code(10, 756 + 3 * PROMOTION_WAYS.indexOf(fileOf(move.from) * 8 + fileOf(move.to)) + move.promotion - KNIGHT);
  const target = plainTarget(move, view.position.side);
  return code(10, DIRECTION_NUMBERS.get(target * 16 + stepOf(move.from, target, move.type)));
}
