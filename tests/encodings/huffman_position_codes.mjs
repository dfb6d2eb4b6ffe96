/* SPDX-License-Identifier: MIT */
// Codes of positions: huffman, huffman-tables, huffman-gaps and huffman-gaps-key.

import { BLACK, EMPTY, KING, NONE, PAWN, ROOK, WHITE, colourOf, fileOf, kingOf, typeOf } from './chess_rules.mjs';
import {
  RIGHTS, Reader, castlingBits, clockBits, colourBit, digits, hasStandardRights, passingBits, readCastling,
  readPassing, readState, seemsPossible, sideBit,
} from './position_bits.mjs';

const ALL_SQUARES = Array.from({ length: 64 }, (_, square) => square);

// Prefixes by type, P N B R Q K.
const WITH_KINGS = ['10', '1101', '1100', '1110', '11110', '11111'];
const WITHOUT_KINGS = ['10', '1101', '1100', '1110', '1111', null];
const WITHOUT_PAWNS = [null, '101', '100', '110', '111', null];
const KINGS_NO_PAWNS = [null, '101', '100', '110', '1110', '1111'];

function readType(reader, prefixes) {
  const type = prefixes.findIndex(prefix => prefix !== null && reader.skip(prefix));
  if (type < 0) throw new RangeError('no piece');
  return type;
}

// The contents of squares, one after another. If nothing follows, the empty squares at the end are omitted, and then a king.
function squareBits(board, squares, prefixes, isLast) {
  let pieces = squares.map(square => board[square]);
  if (isLast) {
    while (pieces.length && pieces.at(-1) === EMPTY) pieces.pop();
    if (pieces.length && typeOf(pieces.at(-1)) === KING) pieces.pop();
  }
  return pieces.map(piece => (piece === EMPTY ? '0' : prefixes[typeOf(piece)] + colourBit(colourOf(piece)))).join('');
}

function readSquares(reader, board, squares, prefixes) {
  let index = 0;
  for (; index < squares.length && reader.left; index++) {
    if (reader.skip('0')) continue;
    const type = readType(reader, prefixes);
    board[squares[index]] = (reader.read(1) ? 0 : 6) + type;
  }
  const missing = [WHITE, BLACK].filter(colour => !board.includes(6 * colour + KING));
  if (missing.length === 1 && index < squares.length) board[squares[index]] = 6 * missing[0] + KING;
  else if (missing.length) throw new RangeError('no king');
}

const stateBits = position => clockBits(position) + sideBit(position);

export function huffman(position) {
  if (!hasStandardRights(position)) return null;
  const end = passingBits(position) + castlingBits(position);
  return stateBits(position) + squareBits(position.board, ALL_SQUARES, WITH_KINGS, !end) + end;
}

export function readHuffman(bits) {
  const reader = new Reader(bits), position = readState(reader);
  readSquares(reader, position.board, ALL_SQUARES, WITH_KINGS);
  readPassing(reader, position);
  readCastling(reader, position);
  return position;
}

// ------------------------------------------------------------------------------------------------------- huffman-tables

// The corners h1 a1 h8 a8 are in the order of RIGHTS.
function cornerOf(position, [colour, index, , rook]) {
  if (position.rooks[colour][index] === rook) return 2;
  return position.board[rook] === 6 * colour + ROOK ? 1 : 0;
}

// The squares that a class determines, and whether it determines both kings.
function determined(corners) {
  const rooks = RIGHTS.filter((_, index) => corners[index] > 0).map(right => right[3]);
  const kings = RIGHTS.filter((_, index) => corners[index] === 2).map(right => right[2]);
  return { squares: new Set([...rooks, ...kings]), hasKings: new Set(kings).size === 2 };
}

export function huffmanTables(position) {
  if (!hasStandardRights(position)) return null;
  const corners = RIGHTS.map(right => cornerOf(position, right)), known = determined(corners);
  const number = corners.reduce((sum, corner, index) => sum + corner * 3 ** index, 0), end = passingBits(position);
  const squares = ALL_SQUARES.filter(square => !known.squares.has(square));
  const prefixes = known.hasKings ? WITHOUT_KINGS : WITH_KINGS;
  return stateBits(position) + digits(number, 7) + squareBits(position.board, squares, prefixes, !end) + end;
}

export function readHuffmanTables(bits) {
  const reader = new Reader(bits), position = readState(reader), number = reader.read(7);
  const corners = RIGHTS.map((_, index) => Math.floor(number / 3 ** index) % 3), known = determined(corners);
  RIGHTS.forEach(([colour, index, king, rook], at) => {
    if (corners[at]) position.board[rook] = 6 * colour + ROOK;
    if (corners[at] === 2) { position.board[king] = 6 * colour + KING; position.rooks[colour][index] = rook; }
  });
  const squares = ALL_SQUARES.filter(square => !known.squares.has(square));
  readSquares(reader, position.board, squares, known.hasKings ? WITHOUT_KINGS : WITH_KINGS);
  readPassing(reader, position);
  return position;
}

// --------------------------------------------------------------------------------------------------------- huffman-gaps

const MODES = [
  { prefix: '00', isCompact: false, colours: 'counted' },
  { prefix: '01', isCompact: false, colours: 'full' },
  { prefix: '10', isCompact: false, colours: 'every' },
  { prefix: '110', isCompact: true, colours: 'every' },
  { prefix: '1110', isCompact: true, colours: 'full' },
  { prefix: '11110', isCompact: true, colours: 'counted' },
  { prefix: '11111', isCompact: true, colours: 'full', isKings: true },
];
const START = [8, 2, 2, 2, 1, 1];    // pieces of each type that a side has at the start

// Counts pieces so that the writer and the reader agree on which colours are known.
class Colours {
  constructor(kind, count) { this.kind = kind; this.left = count; this.first = NONE; this.seen = new Int8Array(12); }

  // The colour of the next piece of a type, or -1 if it has a bit.
  known(type) {
    if (this.kind === 'counted') return this.left === 0 ? 1 - this.first : NONE;
    if (this.kind !== 'full') return NONE;
    const complete = [WHITE, BLACK].find(colour => this.seen[6 * colour + type] === START[type]);
    return complete === undefined ? NONE : 1 - complete;
  }

  add(type, colour) {
    this.seen[6 * colour + type]++;
    if (this.first === NONE) this.first = colour;
    if (colour === this.first) this.left--;
  }
}

// A gap of which `left` squares are left on the board, as one or more gaps of at most 41.
function gapBits(gap, left) {
  let bits = '';
  while (gap) {
    const part = Math.min(gap, 41), low = left <= 25 ? 1 : 2, rest = part - 10;
    if (part === 1) bits += '0';
    else if (part < 10) bits += '00' + digits(part - 2, 3);
    else bits += '00' + digits(rest >> low, 3) + '0' + digits(rest & ((1 << low) - 1), low);
    gap -= part;
    left -= part;
  }
  return bits;
}

function readGap(reader, left) {
  if (left < 2 || !reader.skip('0')) return 1;
  const high = reader.read(3);
  if (left < 10 || !reader.skip('0')) return 2 + high;
  const low = left <= 25 ? 1 : 2;
  return 10 + (high << low) + reader.read(low);
}

const has = (position, type) => position.board.some(piece => piece !== EMPTY && typeOf(piece) === type);
const squaresOf = (position, mode) =>
  ALL_SQUARES.filter(square => mode.isKings || position.board[square] === EMPTY || typeOf(position.board[square]) !== KING);

function canUse(position, mode) {
  if (mode.isKings && has(position, PAWN)) return false;
  if (mode.colours !== 'full') return true;
  const count = wanted => position.board.filter(piece => piece === wanted).length;
  return [WHITE, BLACK].every(colour => START.every((most, type) => count(6 * colour + type) <= most));
}

function countBits(count, hasPawns) {
  return digits(count, 4) + (count <= 8 ? (hasPawns ? '0' : '1') : '');
}

function prefixesOf(mode, count, hasPawns) {
  if (mode.isKings) return KINGS_NO_PAWNS;
  return mode.colours === 'counted' && count <= 8 && !hasPawns ? WITHOUT_PAWNS : WITHOUT_KINGS;
}

// The pieces and gaps of a mode, with everything before them except the state.
function modeBits(position, mode) {
  const squares = squaresOf(position, mode), pieces = squares.map(square => position.board[square]);
  const first = pieces.find(piece => piece !== EMPTY), hasPawns = has(position, PAWN);
  const count = first === undefined ? 0 : pieces.filter(piece => piece !== EMPTY && colourOf(piece) === colourOf(first)).length;
  const colours = new Colours(mode.colours, count), prefixes = prefixesOf(mode, count, hasPawns);
  let bits = mode.prefix, gap = 0;
  if (!mode.isKings) bits += digits(kingOf(position, WHITE), 6) + digits(kingOf(position, BLACK), 6);
  if (mode.colours === 'counted') bits += countBits(count, hasPawns);
  pieces.forEach((piece, index) => {
    if (piece === EMPTY) { gap++; return; }
    const type = typeOf(piece), colour = colourOf(piece);
    bits += (mode.isCompact ? gapBits(gap, squares.length - index + gap) : '0'.repeat(gap)) + prefixes[type];
    if (colours.known(type) === NONE) bits += colourBit(colour);
    colours.add(type, colour);
    gap = 0;
  });
  return bits + (mode.isCompact ? gapBits(gap, gap) : '0'.repeat(gap));
}

function shortest(position) {
  const codes = MODES.filter(mode => canUse(position, mode)).map(mode => modeBits(position, mode));
  return codes.reduce((best, bits) => (bits.length < best.length ? bits : best));
}

export const huffmanGaps = position =>
  hasStandardRights(position) ? stateBits(position) + shortest(position) + passingBits(position) + castlingBits(position) : null;

export function huffmanGapsKey(position) {
  if (!hasStandardRights(position)) return null;
  const passing = seemsPossible(position) ? '1' + sideBit(position) + digits(fileOf(position.passed), 3) : '';
  return clockBits(position) + shortest(position) + castlingBits(position) + passing;
}

function readPieces(reader, position, mode, squares, count, prefixes) {
  const colours = new Colours(mode.colours, count);
  for (let index = 0; index < squares.length;) {
    if (reader.skip('0')) { index += mode.isCompact ? readGap(reader, squares.length - index) : 1; continue; }
    const type = readType(reader, prefixes), known = colours.known(type);
    const colour = known === NONE ? 1 - reader.read(1) : known;
    colours.add(type, colour);
    position.board[squares[index++]] = 6 * colour + type;
  }
}

export function readHuffmanGaps(bits) {
  const reader = new Reader(bits), position = readState(reader), mode = MODES.find(each => reader.skip(each.prefix));
  if (!mode.isKings) for (const side of [WHITE, BLACK]) position.board[reader.read(6)] = 6 * side + KING;
  const squares = squaresOf(position, mode), isCounted = mode.colours === 'counted', count = isCounted ? reader.read(4) : 0;
  const hasPawns = !(isCounted && count <= 8 && reader.read(1) === 1);
  readPieces(reader, position, mode, squares, count, prefixesOf(mode, count, hasPawns));
  readPassing(reader, position);
  readCastling(reader, position);
  return position;
}
