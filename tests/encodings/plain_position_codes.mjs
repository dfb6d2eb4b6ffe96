/* SPDX-License-Identifier: MIT */
// Codes of positions: stream, kings-castling and packed.

import {
  BLACK, EMPTY, KING, NONE, PAWN, ROOK, WHITE, colourOf, fileOf, forward, kingOf, rankOf, squareAt, typeOf,
} from './chess_rules.mjs';
import { outermostRook } from './chess_notation.mjs';
import {
  Reader, clockBits, digits, emptyPosition, hasStandardRights, pushedPawn, seemsPossible, sideBit,
} from './position_bits.mjs';

// --------------------------------------------------------------------------------------------------------------- stream

const rightsOf = position => position.rooks.flat();
const outermostRooks = board => [WHITE, BLACK].flatMap(colour => [1, 2].map(castle => outermostRook(board, colour, castle)));

function gapNibbles(gap) {
  let bits = '';
  for (; gap >= 4; gap -= Math.min(gap, 19)) bits += '1111' + digits(Math.min(gap, 19) - 4, 4);
  return gap ? bits + digits(11 + gap, 4) : bits;
}

export function stream(position) {
  const outermost = outermostRooks(position.board);
  if (rightsOf(position).some((rook, index) => rook !== NONE && rook !== outermost[index])) return null;
  let bits = sideBit(position) + clockBits(position) + rightsOf(position).map(rook => (rook === NONE ? '0' : '1')).join('') +
    digits(seemsPossible(position) ? fileOf(position.passed) : 8, 4), gap = 0;
  for (let square = 0; square < 64; square++) {
    if (position.board[square] === EMPTY) { gap++; continue; }
    bits += gapNibbles(gap) + digits(position.board[square], 4);
    gap = 0;
  }
  return bits + gapNibbles(gap);
}

export function readStream(bits) {
  const reader = new Reader(bits), position = emptyPosition();
  position.side = reader.read(1) ? WHITE : BLACK;
  position.clock = reader.read(7);
  const rights = reader.read(4), file = reader.read(4);
  for (let square = 0; square < 64;) {
    const nibble = reader.read(4);
    if (nibble < 12) position.board[square++] = nibble;
    else square += nibble === 15 ? 4 + reader.read(4) : nibble - 11;
  }
  outermostRooks(position.board).forEach((rook, index) => {
    if (rights & (8 >> index)) position.rooks[index >> 1][index & 1] = rook;
  });
  if (file < 8) position.passed = squareAt(file, position.side === WHITE ? 5 : 2);
  return position;
}

// ------------------------------------------------------------------------------------------------------- kings-castling

const areApart = (a, b) => Math.max(Math.abs(fileOf(a) - fileOf(b)), Math.abs(rankOf(a) - rankOf(b))) > 1;
const ALL_SQUARES = Array.from({ length: 64 }, (_, square) => square);
const apartFrom = king => ALL_SQUARES.filter(square => areApart(king, square));

// Pairs of kings, by White's square and then by Black's.
const PAIRS = ALL_SQUARES.flatMap(white => apartFrom(white).map(black => white * 64 + black));
const E1 = 4, E8 = 60;

// 0 none, 1 the king's side, 2 the queen's side, 3 both.
const rightsOfSide = (position, colour) =>
  position.rooks[colour].reduce((sum, rook, index) => sum + (rook === NONE ? 0 : 1 + index), 0);

export function kingsCastling(position) {
  if (!hasStandardRights(position)) return null;
  const [white, black] = [WHITE, BLACK].map(colour => kingOf(position, colour));
  const [rights, blackRights] = [WHITE, BLACK].map(colour => rightsOfSide(position, colour));
  let number;
  if (rights && blackRights) number = 3960 + 3 * (rights - 1) + blackRights - 1;
  else if (rights) number = 3612 + 58 * (rights - 1) + apartFrom(E1).indexOf(black);
  else if (blackRights) number = 3786 + 58 * (blackRights - 1) + apartFrom(E8).indexOf(white);
  else number = PAIRS.indexOf(white * 64 + black);
  return digits(number, 12);
}

// --------------------------------------------------------------------------------------------------------------- packed

const isMarked = (position, square) =>
  position.rooks.flat().includes(square) || (seemsPossible(position) && pushedPawn(position) === square);

function packedPiece(position, square) {
  const piece = position.board[square];
  return isMarked(position, square) ? 10 : 5 * colourOf(piece) + typeOf(piece);
}

export function packed(position) {
  const occupied = ALL_SQUARES.map(square => (position.board[square] === EMPTY ? '0' : '1')).reverse().join('');
  const pieces = ALL_SQUARES.filter(square => position.board[square] !== EMPTY && typeOf(position.board[square]) !== KING)
    .map(square => packedPiece(position, square));
  let bits = occupied + sideBit(position) + clockBits(position);
  for (const side of [WHITE, BLACK]) bits += digits(kingOf(position, side), 6);
  for (let i = 0; i < pieces.length; i += 2)
    bits += i + 1 < pieces.length ? digits(11 * pieces[i] + pieces[i + 1], 7) : digits(pieces[i], 4);
  return bits;
}

function putPacked(position, square, number) {
  const isPushed = number === 10 && [3, 4].includes(rankOf(square));
  if (number < 10) { position.board[square] = 6 * Math.floor(number / 5) + number % 5; return; }
  const colour = rankOf(square) < 4 ? WHITE : BLACK;
  position.board[square] = 6 * colour + (isPushed ? PAWN : ROOK);
  if (isPushed) position.passed = square - 8 * forward(colour);
  else position.rooks[colour][square > kingOf(position, colour) ? 0 : 1] = square;
}

export function readPacked(bits) {
  const reader = new Reader(bits), position = emptyPosition(), occupied = [];
  for (let square = 63; square >= 0; square--) if (reader.read(1)) occupied.unshift(square);
  position.side = reader.read(1) ? WHITE : BLACK;
  position.clock = reader.read(7);
  for (const colour of [WHITE, BLACK]) position.board[reader.read(6)] = 6 * colour + KING;
  const squares = occupied.filter(square => position.board[square] === EMPTY);
  for (let i = 0; i < squares.length; i += 2) {
    if (i + 1 === squares.length) { putPacked(position, squares[i], reader.read(4)); break; }
    const pair = reader.read(7);
    putPacked(position, squares[i], Math.floor(pair / 11));
    putPacked(position, squares[i + 1], pair % 11);
  }
  return position;
}
