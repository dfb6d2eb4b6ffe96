/* SPDX-License-Identifier: MIT */
// Codes of whole games that use the predictor: ranked-tiers, ranked-huffman and arithmetic.

import { NULL_MOVE, isSameMove } from './chess_rules.mjs';
import { bitsFor } from './indexed_move_codes.mjs';
import { gameString, readGameString } from './game_strings.mjs';
import { Reader, digits } from './position_bits.mjs';

// --------------------------------------------------------------------------------------------------------------- ranked

function tierBits(rank, count) {
  if (rank < 6) return digits(rank, 3);
  return rank < 10 ? '110' + digits(rank - 6, 2) : '111' + digits(rank - 10, bitsFor(count - 10));
}

function readTier(reader, count) {
  const first = reader.read(3);
  if (first < 6) return first;
  return first === 6 ? 6 + reader.read(2) : 10 + reader.read(bitsFor(count - 10));
}

// The numbers of bits of the Huffman codes of ranks 0 to 39 and, last, of all ranks from 40 on.
const HUFFMAN_LENGTHS = [
  1, 3, 4, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11,
  12, 11, 12, 13, 13, 13, 13, 13, 14, 14, 12,
];

// Codes of a length are consecutive numbers, in the order of ranks; the first is the number after the last shorter code, with
// zeros appended.
function canonicalCodes(lengths) {
  const codes = [];
  let next = 0, before = 0;
  lengths.map((length, rank) => [length, rank]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).forEach(([length, rank]) => {
    next *= 2 ** (length - before);
    before = length;
    codes[rank] = digits(next++, length);
  });
  return codes;
}
const HUFFMAN_CODES = canonicalCodes(HUFFMAN_LENGTHS);

const huffmanBits = rank => (rank < 40 ? HUFFMAN_CODES[rank] : HUFFMAN_CODES[40] + digits(rank - 40, 9));

function readHuffmanRank(reader) {
  const index = HUFFMAN_CODES.findIndex(code => reader.skip(code));
  if (index < 0) throw new RangeError('no rank');
  return index < 40 ? index : 40 + reader.read(9);
}

function encodeRanks(root, moves, weights, bitsOf) {
  let node = root, bits = '';
  for (const move of moves) {
    if (!move.isNull) {
      const ranked = node.ranked(weights);
      bits += bitsOf(ranked.findIndex(other => isSameMove(other, move)), ranked.length);
    }
    node = node.next(move);
  }
  return { bits: bits.length, hex: gameString(moves, bits) };
}

function decodeRanks(root, hex, weights, readRank) {
  const { plies, nulls, bits } = readGameString(hex), reader = new Reader(bits), moves = [];
  let node = root;
  for (let ply = 0; ply < plies; ply++) {
    const move = nulls.has(ply) ? NULL_MOVE : node.ranked(weights)[readRank(reader, node.moves.length)];
    if (!move) throw new RangeError('no such rank');
    moves.push(move);
    node = node.next(move);
  }
  return moves;
}

export const encodeTiers = (root, moves, weights) => encodeRanks(root, moves, weights, tierBits);
export const decodeTiers = (root, hex, weights) => decodeRanks(root, hex, weights, readTier);
export const encodeHuffman = (root, moves, weights) => encodeRanks(root, moves, weights, huffmanBits);
export const decodeHuffman = (root, hex, weights) => decodeRanks(root, hex, weights, readHuffmanRank);

// ----------------------------------------------------------------------------------------------------------- arithmetic

const WHOLE = 2 ** 32, SHORT = 2 ** 24;

// Adds a carry to the bytes before.
function carry(bytes) {
  let at = bytes.length - 1;
  while (bytes[at] === 255) bytes[at--] = 0;
  bytes[at]++;
}

// The frequencies of the moves before `move` and that of the move itself; whether the move is the last.
function placeOf(predicted, move) {
  let before = 0;
  for (const [index, each] of predicted.entries()) {
    if (isSameMove(each.move, move)) return { before, frequency: each.frequency, isLast: index === predicted.length - 1 };
    before += each.frequency;
  }
  throw new RangeError('no legal move');
}

class RangeCoder {
  constructor() { this.low = 0; this.range = WHOLE - 1; this.bytes = []; }

  add({ before, frequency, isLast }) {
    const unit = Math.floor(this.range / 65536);
    this.low += before * unit;
    this.range = isLast ? this.range - before * unit : frequency * unit;
    if (this.low >= WHOLE) { this.low -= WHOLE; carry(this.bytes); }
    while (this.range < SHORT) {
      this.bytes.push(Math.floor(this.low / SHORT));
      this.low = (this.low % SHORT) * 256;
      this.range *= 256;
    }
  }

  // The bytes of the shortest number in the range.
  end() {
    const bytes = [...this.bytes];
    for (let count = 0; count <= 4; count++) {
      const unit = 256 ** (4 - count), number = Math.ceil(this.low / unit) * unit;
      if (number >= this.low + this.range) continue;
      if (number >= WHOLE) carry(bytes);
      for (let i = 0; i < count; i++) bytes.push(Math.floor(number / 256 ** (3 - i)) % 256);
      break;
    }
    while (bytes.at(-1) === 0) bytes.pop();
    return bytes;
  }
}

const bitsOfBytes = bytes => bytes.map(byte => digits(byte, 8)).join('');

export function encodeArithmetic(root, moves, weights) {
  const coder = new RangeCoder();
  let node = root;
  for (const move of moves) {
    if (!move.isNull) coder.add(placeOf(node.predicted(weights), move));
    node = node.next(move);
  }
  const bits = bitsOfBytes(coder.end());
  return { bits: bits.length, hex: gameString(moves, bits) };
}

// The decoder keeps the number less low. Zeros follow the bytes.
class RangeDecoder {
  constructor(bits) {
    Object.assign(this, { bits, at: 0, range: WHOLE - 1, number: 0 });
    for (let i = 0; i < 4; i++) this.shift();
  }

  shift() {
    const byte = Number.parseInt(this.bits.slice(this.at, this.at + 8) || '0', 2);
    this.number = this.number * 256 + byte;
    this.at += 8;
  }

  next(predicted) {
    const unit = Math.floor(this.range / 65536), wanted = Math.floor(this.number / unit);
    let before = 0, index = 0;
    while (index < predicted.length - 1 && before + predicted[index].frequency <= wanted) before += predicted[index++].frequency;
    this.number -= before * unit;
    this.range = index === predicted.length - 1 ? this.range - before * unit : predicted[index].frequency * unit;
    while (this.range < SHORT) { this.range *= 256; this.shift(); }
    return predicted[index].move;
  }
}

export function decodeArithmetic(root, hex, weights) {
  const { plies, nulls, bits } = readGameString(hex), decoder = new RangeDecoder(bits), moves = [];
  let node = root;
  for (let ply = 0; ply < plies; ply++) {
    const move = nulls.has(ply) ? NULL_MOVE : decoder.next(node.predicted(weights));
    moves.push(move);
    node = node.next(move);
  }
  if (encodeArithmetic(root, moves, weights).hex !== hex) throw new RangeError('another string');
  return moves;
}
