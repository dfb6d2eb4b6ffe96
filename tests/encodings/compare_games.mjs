/* SPDX-License-Identifier: MIT */
// Compares the codes of whole games with those of `stamma encode --tsv`, after each ply and in both directions.

import { isSameMove } from './chess_rules.mjs';
import { readFen } from './chess_notation.mjs';
import { decodeGaps, decodeRadix, encodeGaps, encodeRadix } from './game_codes.mjs';
import { GameNode } from './game_tree.mjs';
import {
  decodeArithmetic, decodeHuffman, decodeTiers, encodeArithmetic, encodeHuffman, encodeTiers,
} from './predicted_game_codes.mjs';
import { linesOf } from './compare_moves.mjs';

export const GAME_CODES = {
  'legal-index-radix': [encodeRadix, decodeRadix],
  'gap-codes': [encodeGaps, decodeGaps],
  'ranked-tiers': [encodeTiers, decodeTiers],
  'ranked-huffman': [encodeHuffman, decodeHuffman],
  'arithmetic': [encodeArithmetic, decodeArithmetic],
};

const isSameGame = (a, b) => a.length === b.length && a.every((move, index) => isSameMove(move, b[index]));

function compareCode(name, root, moves, resource, bits, hex) {
  const [encode, decode] = GAME_CODES[name], ours = encode(root, moves, resource);
  if (ours.bits !== Number(bits) || ours.hex !== hex)
    return `${ours.hex} (${ours.bits} bits), the library has ${hex} (${bits} bits)`;
  return isSameGame(decode(root, hex, resource), moves) ? '' : `${hex} decodes to another game`;
}

export function compareGames(stamma, game, report, { weights, book }, names = Object.keys(GAME_CODES)) {
  const root = new GameNode(readFen(game.fen || undefined));
  linesOf(stamma, game, names).forEach(([fen, words, name, bits, hex], index) => {
    if (name !== names[index % names.length]) throw new Error(`${name}: ${names[index % names.length]} expected`);
    const moves = game.moves.slice(0, Math.floor(index / names.length) + 1);
    const resource = name === 'gap-codes' ? (game.fen ? null : book) : weights;
    const message = compareCode(name, root, moves, resource, bits, hex);
    report(name, message && `${fen} ${words} ${name}: ${message}`);
  });
}
