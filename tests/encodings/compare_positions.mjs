// Compares the codes of positions with those of `stamma encode --tsv`, in both directions.

import { execFileSync } from 'node:child_process';
import { fenOf } from './chess_notation.mjs';
import { POSITION_CODES, decodePosition, storedFen } from './position_codes.mjs';
import { bitsOfHex, hexOf } from './position_bits.mjs';

// The lines of many positions, with one process for each position.
function linesOfPositions(stamma, fens, names) {
  const text = execFileSync('xargs', ['-d', '\n', '-n', '1', stamma, 'encode', '--tsv', '--codec', names.join(','), '--fen'],
    { encoding: 'utf8', input: fens.join('\n') + '\n', maxBuffer: 1 << 30 });
  return text.trimEnd().split('\n').map(line => line.split('\t'));
}

function compareCode(name, position, bits, value) {
  const { encode, decode, isText } = POSITION_CODES[name], ours = encode(position);
  if (bits === '-' || ours === null) return bits === '-' && ours === null ? '' : `${ours}, the library has ${bits}`;
  const theirs = isText ? value : bitsOfHex(value, Number(bits));
  if (ours !== theirs) return isText ? `${ours}, the library has ${theirs}` : `${ours} ${hexOf(ours)},\n   the library has ${theirs} ${value}`;
  if (!decode) return '';
  const decoded = decodePosition(name, theirs);
  return decoded && storedFen(decoded) === storedFen(position) ? '' : `${value} decodes to ${decoded && storedFen(decoded)}`;
}

export function comparePositions(stamma, positions, report, names = Object.keys(POSITION_CODES)) {
  const lines = linesOfPositions(stamma, positions.map(position => fenOf(position)), names);
  let at = 0;
  for (const position of positions) {
    for (const name of names) {
      const [fen, , theirName, bits, value] = lines[at++];
      if (fen !== fenOf(position) || theirName !== name) throw new Error(`${fen} ${theirName}: ${fenOf(position)} ${name} expected`);
      const message = compareCode(name, position, bits, value);
      report(name, message && `${fen} ${name}: ${message}`);
    }
  }
}
