/* SPDX-License-Identifier: MIT */
// The string of a game: the number of plies, the null moves that the code does not contain, and the codes.

import { NULL_MOVE } from './chess_rules.mjs';
import { bitsOfHex, hexOf } from './position_bits.mjs';

// A varint has seven bits in a byte, the lowest first; the highest bit is set in all bytes but the last.
function varintBytes(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push(128 + number % 128);
  return [...bytes, number];
}

const hexOfBytes = bytes => bytes.map(byte => byte.toString(16).padStart(2, '0')).join('');

// The numbers of plies before the first null move, and between one null move and the next.
function nullGaps(moves) {
  const gaps = [];
  let gap = 0;
  for (const move of moves) {
    if (move.isNull) { gaps.push(gap); gap = 0; } else gap++;
  }
  return gaps;
}

// `codes` are bits as text.
export function gameString(moves, codes, hasNullCode = false) {
  const gaps = hasNullCode ? [] : nullGaps(moves);
  const head = [2 * moves.length + (gaps.length ? 1 : 0), ...(gaps.length ? [gaps.length, ...gaps] : [])];
  return hexOfBytes(head.flatMap(varintBytes)) + hexOf(codes);
}

function readVarint(bytes) {
  let number = 0, factor = 1, byte;
  do {
    if (!bytes.length) throw new RangeError('the bytes end');
    byte = bytes.shift();
    number += (byte % 128) * factor;
    factor *= 128;
  } while (byte > 127);
  return number;
}

// Returns the number of plies, the set of plies that are null moves, and the bits of the codes.
export function readGameString(hex) {
  const bytes = hex.match(/../g).map(pair => Number.parseInt(pair, 16)), head = readVarint(bytes), nulls = new Set();
  if (head % 2) {
    let ply = -1;
    for (let left = readVarint(bytes); left > 0; left--) nulls.add(ply += 1 + readVarint(bytes));
  }
  return { plies: Math.floor(head / 2), nulls, bits: bitsOfHex(hexOfBytes(bytes), 8 * bytes.length) };
}

export { NULL_MOVE };
