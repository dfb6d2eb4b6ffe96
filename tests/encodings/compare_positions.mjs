/* SPDX-License-Identifier: MIT */
// Compares the codes of positions with those of `stamma encode --tsv`, in both directions.

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fenOf } from './chess_notation.mjs';
import { POSITION_CODES, decodePosition, storedFen } from './position_codes.mjs';
import { bitsOfHex, hexOf } from './position_bits.mjs';

// The library's codes of many positions, with one process for each position: FEN and name to [bits, value]. A process writes its
// lines at once, so they are complete lines.
function codesOfPositions(stamma, fens, names) {
  const command = [stamma, 'encode', '--tsv', '--codec', names.join(','), '--fen'];
  const text = execFileSync('xargs', ['-d', '\n', '-n', '1', '-P', String(availableParallelism()), ...command],
    { encoding: 'utf8', input: fens.join('\n') + '\n', maxBuffer: 1 << 30 });
  const lines = text.trimEnd().split('\n').map(line => line.split('\t'));
  return new Map(lines.map(([fen, , name, bits, value]) => [`${fen} ${name}`, [bits, value]]));
}

function compareCode(name, position, bits, value) {
  const { encode, decode, isText } = POSITION_CODES[name], ours = encode(position);
  if (bits === '-' || ours === null) return bits === '-' && ours === null ? '' : `${ours}, the library has ${bits}`;
  const theirs = isText ? value : bitsOfHex(value, Number(bits));
  if (ours !== theirs) return `${ours} ${isText ? '' : hexOf(ours)},\n   the library has ${theirs} ${value}`;
  if (!decode) return '';
  const decoded = decodePosition(name, theirs);
  return decoded && storedFen(decoded) === storedFen(position) ? '' : `${value} decodes to ${decoded && storedFen(decoded)}`;
}

export function comparePositions(stamma, positions, report, names = Object.keys(POSITION_CODES)) {
  const codes = codesOfPositions(stamma, positions.map(position => fenOf(position)), names);
  for (const position of positions) {
    for (const name of names) {
      const key = `${fenOf(position)} ${name}`;
      if (!codes.has(key)) throw new Error(`${key}: no code of the library`);
      const message = compareCode(name, position, ...codes.get(key));
      report(name, message && `${key}: ${message}`);
    }
  }
}
