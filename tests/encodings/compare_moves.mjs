/* SPDX-License-Identifier: MIT */
// Compares the codes of single moves with those of `stamma encode --tsv`, in both directions.

import { execFileSync } from 'node:child_process';
import { afterMove, isSameMove } from './chess_rules.mjs';
import { fenOf, readFen, uciOf } from './chess_notation.mjs';
import { MOVE_CODES, decodeMove, viewOf } from './move_codes.mjs';

// The lines of `stamma encode --tsv` for a game: arrays of FEN, move, encoding, bits and code.
export function linesOf(stamma, game, names) {
  const moves = [];
  let position = readFen(game.fen || undefined);
  for (const move of game.moves) {
    moves.push(move.isNull ? 'Z0' : uciOf(move, position.side));
    position = afterMove(position, move);
  }
  const start = game.fen ? ['--fen', game.fen] : [];
  const text = execFileSync(stamma, ['encode', '--tsv', '--codec', names.join(','), ...start, '--', ...moves],
    { encoding: 'utf8', maxBuffer: 1 << 30 });
  return text.trimEnd().split('\n').map(line => line.split('\t'));
}

const isText = name => ['uci', 'san', 'lan'].includes(name);
const wanted = (name, bits, value) =>
  (bits === '-' ? null : { bits: Number(bits), value: isText(name) ? value : Number(value) });
const shown = code => (code ? `${code.value} (${code.bits} bits)` : 'none');
const isEqual = (a, b) => (a === null || b === null ? a === b : a.bits === b.bits && a.value === b.value);

// butterfly is shared by promotions and check-flag cannot be decoded.
function decodes(name, view, move, code) {
  if (!code || name === 'check-flag') return true;
  const moves = decodeMove(name, view, code);
  return name === 'butterfly' ? moves.some(other => isSameMove(other, move)) : moves.length === 1 && isSameMove(moves[0], move);
}

// Compares a game; `report(name, message)` is called for each value, with a message if it is wrong.
export function compareMoves(stamma, game, report, names = Object.keys(MOVE_CODES)) {
  const lines = linesOf(stamma, game, names);
  let position = readFen(game.fen || undefined), at = 0;
  for (const move of game.moves) {
    const view = viewOf(position), fen = fenOf(position);
    for (const name of names) {
      const [theirFen, uci, theirName, bits, value] = lines[at++];
      if (theirFen !== fen || theirName !== name) throw new Error(`${theirFen} ${theirName}: ${fen} ${name} expected`);
      const code = wanted(name, bits, value), ours = MOVE_CODES[name](view, move);
      let message = '';
      if (!isEqual(ours, code)) message = `${fen} ${uci} ${name}: ${shown(ours)}, the library has ${shown(code)}`;
      else if (!decodes(name, view, move, code)) message = `${fen} ${uci} ${name}: ${shown(code)} does not decode to the move`;
      report(name, message);
    }
    position = afterMove(position, move);
  }
}
