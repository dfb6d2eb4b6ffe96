/* SPDX-License-Identifier: MIT */
// What the codes of positions share: strings of bits, and the facts of a position that they store.
//
// A code is a string of the digits 0 and 1. A decoder reads it with a Reader; decoding is exact because decodePosition() in
// position_codes.mjs encodes the result again.

import {
  BLACK, EMPTY, KING, KING_SIDE, NONE, PAWN, QUEEN_SIDE, ROOK, WHITE, backRank, forward, kingOf, offset, squareAt,
} from './chess_rules.mjs';

export const digits = (value, width) => (width ? value.toString(2).padStart(width, '0') : '');

export class Reader {
  constructor(bits) { this.bits = bits; this.at = 0; }

  get left() { return this.bits.length - this.at; }

  read(width) {
    if (width > this.left) throw new RangeError('the bits end');
    this.at += width;
    return width ? Number.parseInt(this.bits.slice(this.at - width, this.at), 2) : 0;
  }

  // Whether the next bits are `text`; if so, they are read.
  skip(text) {
    const found = this.bits.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }
}

export function hexOf(bits) {
  let text = '';
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '0'), 2);
    text += byte.toString(16).padStart(2, '0');
  }
  return text;
}

export const bitsOfHex = (hex, count) =>
  [...hex].map(digit => digits(Number.parseInt(digit, 16), 4)).join('').slice(0, count);

export const clockOf = position => Math.min(position.clock, 100);
export const clockBits = position => digits(clockOf(position), 7);
export const sideBit = position => (position.side === WHITE ? '1' : '0');
export const colourBit = colour => (colour === WHITE ? '1' : '0');

export const emptyPosition = () => ({
  board: new Int8Array(64).fill(EMPTY), side: WHITE, rooks: [[NONE, NONE], [NONE, NONE]], passed: NONE, clock: 0, number: 1,
});

export function readState(reader) {
  const position = emptyPosition();
  position.clock = reader.read(7);
  position.side = reader.read(1) ? WHITE : BLACK;
  return position;
}

// The square of the pawn that made the double push.
export const pushedPawn = position => (position.passed < 0 ? NONE : position.passed - 8 * forward(position.side));

const hasNeighbour = (position, square) =>
  [-1, 1].some(files => {
    const beside = offset(square, files, 0);
    return beside >= 0 && position.board[beside] === 6 * position.side + PAWN;
  });

// Whether en passant seems possible: an own pawn is beside the pushed pawn.
export const seemsPossible = position => position.passed >= 0 && hasNeighbour(position, pushedPawn(position));

// The enemy pawns that may just have made a double push and have an own pawn beside them, by file.
export function passableBoardPawns(position) {
  const enemy = 1 - position.side, rank = enemy === WHITE ? 3 : 4, back = -8 * forward(enemy), pawns = [];
  for (let file = 0; file < 8; file++) {
    const square = squareAt(file, rank);
    if (position.board[square] !== 6 * enemy + PAWN || !hasNeighbour(position, square)) continue;
    if (position.board[square + back] === EMPTY && position.board[square + 2 * back] === EMPTY) pawns.push(square);
  }
  return pawns;
}

// Three bits if the board has such pawns: 0, or the number of the pawn from 1.
export function passingBits(position) {
  const pawns = passableBoardPawns(position);
  if (!pawns.length) return '';
  return digits(seemsPossible(position) ? 1 + pawns.indexOf(pushedPawn(position)) : 0, 3);
}

export function readPassing(reader, position) {
  const pawns = passableBoardPawns(position);
  const choice = pawns.length ? reader.read(3) : 0;
  if (choice > pawns.length) throw new RangeError('no such pawn');
  if (choice) position.passed = pawns[choice - 1] + 8 * forward(position.side);
}

// The rights of standard chess in the order K Q k q: [colour, index of the rook, square of the king, square of the rook].
export const RIGHTS = [WHITE, BLACK].flatMap(colour => [KING_SIDE, QUEEN_SIDE].map(castle =>
  [colour, castle - 1, squareAt(4, backRank(colour)), squareAt(castle === KING_SIDE ? 7 : 0, backRank(colour))]));

// Whether all rights are those of standard chess.
export const hasStandardRights = position => RIGHTS.every(([colour, index, king, rook]) =>
  position.rooks[colour][index] === NONE || (position.rooks[colour][index] === rook && kingOf(position, colour) === king));

const shows = (board, [colour, , king, rook]) => board[king] === 6 * colour + KING && board[rook] === 6 * colour + ROOK;

// A bit for each right that the board shows.
export const castlingBits = position => RIGHTS.filter(right => shows(position.board, right))
  .map(([colour, index]) => (position.rooks[colour][index] === NONE ? '0' : '1')).join('');

export function readCastling(reader, position) {
  for (const right of RIGHTS.filter(each => shows(position.board, each))) {
    const [colour, index, , rook] = right;
    if (reader.read(1)) position.rooks[colour][index] = rook;
  }
}
