/* SPDX-License-Identifier: MIT */
// Codes that number the pieces along the files: tarrasch, tarrasch-one-queen, many-queens, many-promotions; and those that number
// classes of moves: tojot, tojot-split, tojot-mixed, tojot-bits, tojot-split-bits.

import {
  BISHOP, BLACK, DIRECTIONS, JUMPS, KING, KING_SIDE, KNIGHT, NONE, PAWN, QUEEN, ROOK, alongFiles, attacksOnEmptyBoard,
  fileOf, isAboutToPromote, piecesOf, rankOf,
} from './chess_rules.mjs';
import { bitsFor, legalIndex } from './indexed_move_codes.mjs';

const code = (bits, value) => ({ bits, value });

// The squares of the own pieces of a type, along the files.
function along(view, type) {
  view.along ??= [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING].map(each =>
    piecesOf(view.position, view.position.side, each).sort((a, b) => alongFiles(a) - alongFiles(b)));
  return view.along[type];
}

const isLight = square => (fileOf(square) + rankOf(square)) % 2 === 1;

// -------------------------------------------------------------------------------------------------------------- vectors

const changes = move => [fileOf(move.to) - fileOf(move.from), rankOf(move.to) - rankOf(move.from)];
const indexOfStep = (steps, [files, ranks]) => steps.findIndex(step => step[0] === files && step[1] === ranks);

// From clockwise lists of steps, those in the order of the code.
const KNIGHT_VECTORS = [0, 7, 6, 1, 3, 4, 2, 5].map(index => JUMPS[index]);     // NNE NNW WNW ENE SSE SSW ESE WSW
const KING_VECTORS = [0, 4, 2, 6, 1, 7, 3, 5].map(index => DIRECTIONS[index]);  // N S E W NE NW SE SW

const knightVector = move => indexOfStep(KNIGHT_VECTORS, changes(move));
const kingStep = move => indexOfStep(KING_VECTORS, changes(move));

function kingVector(move) {
  if (move.isNull) return 15;
  return move.castle ? 7 + move.castle : kingStep(move);
}

function bishopVector(move) {
  const [files, ranks] = changes(move);
  return (files > 0) === (ranks > 0) ? fileOf(move.to) : 8 + fileOf(move.to);
}

const rookVector = move => (rankOf(move.to) === rankOf(move.from) ? fileOf(move.to) : 8 + rankOf(move.to));
const isDiagonal = move => changes(move).every(change => change !== 0);

// 0 ahead, 1 towards the a-file, 2 towards the h-file.
const pawnWay = move => [1, 0, 2][changes(move)[0] + 1];

// Single, double, left, right; promotions ahead, left, right.
function pawnVector(move) {
  if (move.promotion !== NONE) return 4 + 4 * pawnWay(move) + move.promotion - KNIGHT;
  return move.double ? 1 : [0, 2, 3][pawnWay(move)];
}

// ------------------------------------------------------------------------------------------------------------- tarrasch

function tarraschFallsBack(view, isOneQueen) {
  const pawns = along(view, PAWN).length, queens = along(view, QUEEN).length, bishops = along(view, BISHOP);
  return queens > (isOneQueen ? 1 : 2) || (queens === 2 && pawns > 6) || along(view, ROOK).length > 2 ||
    along(view, KNIGHT).length > 2 || bishops.filter(isLight).length > 1 || bishops.filter(square => !isLight(square)).length > 1;
}

function tarraschByte(view, move) {
  const number = move.isNull ? 0 : along(view, move.type).indexOf(move.from);
  switch (move.type) {
    case PAWN: return 16 * number + pawnVector(move);
    case KNIGHT: return 16 * 9 + 8 * number + knightVector(move);
    case BISHOP: return 16 * (isLight(move.from) ? 10 : 11) + bishopVector(move);
    case ROOK: return 16 * (13 + number) + rookVector(move);
    case KING: return 16 * 8 + kingVector(move);
    default: {
      const [asBishop, asRook] = number === 0 ? [12, 15] : [6, 7];
      return isDiagonal(move) ? 16 * asBishop + bishopVector(move) : 16 * asRook + rookVector(move);
    }
  }
}

export function tarrasch(view, move, isOneQueen = false) {
  return tarraschFallsBack(view, isOneQueen) ? legalIndex(view, move) : code(8, tarraschByte(view, move));
}

export const tarraschOneQueen = (view, move) => tarrasch(view, move, true);

// ------------------------------------------------------------------------------------------ many-queens, many-promotions

const onEmptyBoard = (move, type) => attacksOnEmptyBoard(move.from, type).indexOf(move.to);

const vectorOf = move => [pawnVector, knightVector, bishopVector, rookVector, null, kingVector][move.type](move);

// The codes of pieces, in this order: king, pairs of knights, bishops, rooks, pawns. `pieces` are lists of squares by type.
function eightCodes(pieces) {
  return 1 + Math.ceil(pieces[KNIGHT].length / 2) + pieces[BISHOP].length + pieces[ROOK].length + pieces[PAWN].length;
}

// `queenCodes` is the number of codes of queens, which are before those of the pawns.
function byteOfEight(pieces, move, queenCodes = 0) {
  if (move.type === KING) return kingVector(move);
  const number = pieces[move.type].indexOf(move.from), firstBishop = 1 + Math.ceil(pieces[KNIGHT].length / 2);
  if (move.type === KNIGHT) return 16 + 8 * number + knightVector(move);
  const firstRook = firstBishop + pieces[BISHOP].length, firstPawn = firstRook + pieces[ROOK].length;
  const first = { [BISHOP]: firstBishop, [ROOK]: firstRook, [PAWN]: firstPawn + queenCodes }[move.type];
  return 16 * (first + number) + vectorOf(move);
}

const allAlong = view => [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING].map(type => along(view, type));

function manyQueensByte(view, move) {
  const pieces = allAlong(view), queens = pieces[QUEEN];
  if (queens.length < 2 || queens.length > 4 || eightCodes(pieces) > 8) return null;
  if (move.type !== QUEEN) return byteOfEight(pieces, move);
  return 128 + 32 * queens.indexOf(move.from) + onEmptyBoard(move, QUEEN);
}

export function manyQueens(view, move) {
  const byte = manyQueensByte(view, move);
  return byte === null ? tarrasch(view, move) : code(8, byte);
}

// The own pieces as two lists by type: those of the start, and the promoted ones, which are the last of each kind.
function splitPromoted(view) {
  const start = allAlong(view).map(squares => [...squares]), promoted = [[], [], [], [], [], []];
  for (const [type, most] of [[KNIGHT, 2], [ROOK, 2], [QUEEN, 1]]) promoted[type] = start[type].splice(most);
  const seen = new Set();
  for (const square of [...start[BISHOP]]) {
    if (seen.has(isLight(square))) promoted[BISHOP].push(square);
    seen.add(isLight(square));
  }
  start[BISHOP] = start[BISHOP].filter(square => !promoted[BISHOP].includes(square));
  return { start, promoted };
}

function manyPromotionsByte(view, move) {
  const { start, promoted } = splitPromoted(view);
  const promotedSquares = promoted.flat().sort((a, b) => alongFiles(a) - alongFiles(b));
  const hasQueen = promoted[QUEEN].length > 0;
  if (promotedSquares.length > (hasQueen ? 4 : 8) || eightCodes(start) + 2 * start[QUEEN].length > 8) return null;
  const number = promotedSquares.indexOf(move.from);
  if (number >= 0 && !move.isNull) {
    return hasQueen ? 128 + 32 * number + onEmptyBoard(move, move.type) : 128 + 16 * number + vectorOf(move);
  }
  if (move.type !== QUEEN) return byteOfEight(start, move, 2 * start[QUEEN].length);
  const first = eightCodes(start) - start[PAWN].length;
  return isDiagonal(move) ? 16 * (first + 1) + bishopVector(move) : 16 * first + rookVector(move);
}

export function manyPromotions(view, move) {
  const byte = manyQueensByte(view, move) ??
    (tarraschFallsBack(view, false) ? manyPromotionsByte(view, move) : null);
  return byte === null ? tarrasch(view, move) : code(8, byte);
}

// ---------------------------------------------------------------------------------------------------------------- tojot

// The first class of each kind, and the number of classes.
function tojotClasses(view, isMixed) {
  const { side } = view.position, count = type => along(view, type).length;
  const pawns = along(view, PAWN).filter(square => !isAboutToPromote(square, side));
  const promoting = along(view, PAWN).filter(square => isAboutToPromote(square, side));
  const knights = isMixed ? Math.ceil((count(KNIGHT) + 1) / 2) : Math.ceil(count(KNIGHT) / 2);
  const queenRooks = count(ROOK), bishops = queenRooks + count(QUEEN), queenBishops = bishops + count(BISHOP);
  const firstKnight = queenBishops + count(QUEEN), king = firstKnight + knights, firstPawn = king + (isMixed ? 0 : 1);
  const firstPromoting = firstPawn + (pawns.length ? 2 : 0);
  return { pawns, promoting, rooks: 0, queenRooks, bishops, queenBishops, firstKnight, king, firstPawn, firstPromoting,
    count: firstPromoting + promoting.length };
}

function tojotPawn(classes, move, isSplit) {
  const promoting = classes.promoting.indexOf(move.from);
  if (promoting >= 0) return [classes.firstPromoting + promoting, pawnVector(move)];
  const number = classes.pawns.indexOf(move.from), vector = pawnVector(move);
  if (!isSplit) return [classes.firstPawn + (number >> 2), 4 * (number & 3) + vector];
  return vector < 2 ? [classes.firstPawn, 2 * number + vector] : [classes.firstPawn + 1, 2 * number + vector - 2];
}

// In tojot-mixed, castling is a step off the board: SE and SW for White, NE and NW for Black.
function mixedKingVector(move, side) {
  if (!move.castle) return kingStep(move);
  return (side === BLACK ? 4 : 6) + move.castle - KING_SIDE;
}

function mixedLeaper(view, classes, move) {
  const leapers = [...along(view, KNIGHT), ...along(view, KING)].sort((a, b) => alongFiles(a) - alongFiles(b));
  const number = leapers.indexOf(move.from);
  const vector = move.type === KING ? mixedKingVector(move, view.position.side) : knightVector(move);
  return [classes.firstKnight + (number >> 1), 8 * (number & 1) + vector];
}

// [class, description]
function tojotPair(view, classes, move, kind) {
  if (kind === 'mixed' && (move.type === KING || move.type === KNIGHT)) return mixedLeaper(view, classes, move);
  const number = move.isNull ? 0 : along(view, move.type).indexOf(move.from);
  switch (move.type) {
    case PAWN: return tojotPawn(classes, move, kind === 'split');
    case KNIGHT: return [classes.firstKnight + (number >> 1), 8 * (number & 1) + knightVector(move)];
    case BISHOP: return [classes.bishops + number, bishopVector(move)];
    case ROOK: return [classes.rooks + number, rookVector(move)];
    case QUEEN:
      if (isDiagonal(move)) return [classes.queenBishops + number, bishopVector(move)];
      return [classes.queenRooks + number, rookVector(move)];
    default: return [classes.king, kingVector(move)];
  }
}

function tojotCode(view, move, kind, isBits) {
  const classes = tojotClasses(view, kind === 'mixed');
  if (classes.count > 16 && !isBits) return kind === 'mixed' && move.isNull ? null : legalIndex(view, move);
  if (kind === 'mixed' && move.isNull) return null;
  const [number, description] = tojotPair(view, classes, move, kind);
  return code(isBits ? bitsFor(classes.count) + 4 : 8, 16 * number + description);
}

export const tojot = (view, move) => tojotCode(view, move, '', false);
export const tojotSplit = (view, move) => tojotCode(view, move, 'split', false);
export const tojotMixed = (view, move) => tojotCode(view, move, 'mixed', false);
export const tojotBits = (view, move) => tojotCode(view, move, '', true);
export const tojotSplitBits = (view, move) => tojotCode(view, move, 'split', true);
