/* SPDX-License-Identifier: MIT */
// All codes of positions: name to { encode, decode }. `encode` returns bits as text, or null if the code cannot
// represent the position; the codes fen and shredder-fen are text. Partial codes have no `decode`.

import { fenOf, readFen } from './chess_notation.mjs';
import { NONE, copyOf } from './chess_rules.mjs';
import { clockOf, seemsPossible } from './position_bits.mjs';
import { kingsCastling, packed, readPacked, readStream, stream } from './plain_position_codes.mjs';
import { positionNumber, readPositionNumber } from './position_number_code.mjs';
import {
  huffman, huffmanGaps, huffmanGapsKey, huffmanTables, readHuffman, readHuffmanGaps, readHuffmanTables,
} from './huffman_position_codes.mjs';

export const POSITION_CODES = {
  'fen': { encode: position => fenOf(position), decode: readFen, isText: true },
  'shredder-fen': { encode: position => fenOf(position, true), decode: readFen, isText: true },
  'stream': { encode: stream, decode: readStream },
  'huffman': { encode: huffman, decode: readHuffman },
  'huffman-gaps': { encode: huffmanGaps, decode: readHuffmanGaps },
  'huffman-gaps-key': { encode: huffmanGapsKey },
  'huffman-tables': { encode: huffmanTables, decode: readHuffmanTables },
  'kings-castling': { encode: kingsCastling },
  'packed': { encode: packed, decode: readPacked },
  'position-number': { encode: positionNumber, decode: readPositionNumber },
};

// The FEN of a position with what the codes store: no number of the move, a clock of at most 100, en passant if it seems
// possible.
export function storedFen(position) {
  const stored = copyOf(position);
  stored.number = 1;
  stored.clock = clockOf(position);
  if (!seemsPossible(position)) stored.passed = NONE;
  return fenOf(stored, true);
}

// Returns the position, or null for bits that no encoder writes.
export function decodePosition(name, code) {
  try {
    const position = POSITION_CODES[name].decode(code);
    return POSITION_CODES[name].encode(position) === code ? position : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
