/* SPDX-License-Identifier: MIT */
// Codes of one move that count moves or pieces: check-flag, legal-index, legal-index-bits, pseudo-legal-index-bits,
// two-index-bits, bcgn and bcgn-square.

import {
  EMPTY, KING, KNIGHT, NONE, PAWN, QUEEN_SIDE, KING_SIDE, afterMove, alongFiles, attacksFrom, attacksOnEmptyBoard,
  castlingMove, colourOf, fileOf, inCanonicalOrder, inCheck, isSameMove, piecesOf, pseudoLegalMoves, typeOf,
} from './chess_rules.mjs';

const code = (bits, value) => ({ bits, value });

// The number of bits of a number below n: ceil(log2 n).
export const bitsFor = n => (n <= 1 ? 0 : 32 - Math.clz32(n - 1));

const indexOf = (moves, move) => moves.findIndex(other => isSameMove(other, move));

export const checkFlag = (view, move) => (move.isNull ? null : code(1, inCheck(afterMove(view.position, move)) ? 1 : 0));

export function legalIndex(view, move) {
  if (view.moves.length > 255) return null;
  return code(8, move.isNull ? 255 : indexOf(view.moves, move));
}

export function legalIndexBits(view, move) {
  return move.isNull ? null : code(bitsFor(view.moves.length), indexOf(view.moves, move));
}

export function pseudoLegalIndexBits(view, move) {
  if (move.isNull) return null;
  view.pseudo ??= inCanonicalOrder(pseudoLegalMoves(view.position));
  return code(bitsFor(view.pseudo.length), indexOf(view.pseudo, move));
}

// The destinations of a piece for two-index-bits, as moves. For a king the remaining castling rights are among them.
function destinations(position, from) {
  const { board, side } = position, type = typeOf(board[from]);
  if (type === PAWN) return pseudoLegalMoves(position).filter(move => move.from === from);
  const moves = attacksFrom(board, from, type, side)
    .filter(to => board[to] === EMPTY || colourOf(board[to]) !== side)
    .map(to => ({ from, to, type, promotion: NONE, castle: 0 }));
  if (type === KING) moves.push(...[KING_SIDE, QUEEN_SIDE].map(castle => castlingMove(position, castle)).filter(Boolean));
  return moves;
}

export function twoIndexBits(view, move) {
  if (move.isNull) return null;
  const pieces = piecesOf(view.position, view.position.side).sort((a, b) => alongFiles(a) - alongFiles(b));
  const moves = inCanonicalOrder(destinations(view.position, move.from));
  const bits = bitsFor(moves.length);
  return code(bitsFor(pieces.length) + bits, pieces.indexOf(move.from) * 2 ** bits + indexOf(moves, move));
}

const BOUNDS = [12, 8, 13, 14, 27, 8];

function indexOfPiece(move) {
  if (move.castle) return 5 + move.castle;
  if (move.type !== PAWN) return attacksOnEmptyBoard(move.from, move.type).indexOf(move.to);
  const way = 1 + fileOf(move.to) - fileOf(move.from);
  return 4 * way + (move.promotion === NONE ? (move.double ? 1 : 0) : move.promotion - KNIGHT);
}

function sumOfBounds(position, pieces) {
  return pieces.reduce((sum, square) => sum + BOUNDS[typeOf(position.board[square])], 0);
}

function ownPieces(view, isByType) {
  const { board, side } = view.position, pieces = piecesOf(view.position, side);
  return isByType ? pieces.sort((a, b) => typeOf(board[a]) - typeOf(board[b]) || a - b) : pieces;
}

function bcgnNumber(view, move, pieces) {
  return sumOfBounds(view.position, pieces.slice(0, pieces.indexOf(move.from))) + indexOfPiece(move);
}

export function bcgn(view, move) {
  if (move.isNull) return null;
  const pieces = ownPieces(view, true);
  return code(sumOfBounds(view.position, pieces) > 256 ? 16 : 8, bcgnNumber(view, move, pieces));
}

export function bcgnSquare(view, move) {
  const pieces = ownPieces(view, false);
  if (sumOfBounds(view.position, pieces) > 255) return legalIndex(view, move);
  return code(8, move.isNull ? 255 : bcgnNumber(view, move, pieces));
}
