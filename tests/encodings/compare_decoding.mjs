/* SPDX-License-Identifier: MIT */
// Compares what the library decodes: the strings of complete games in codes of single moves, and codes of which a bit is changed.

import { spawnSync } from 'node:child_process';
import { afterMove } from './chess_rules.mjs';
import { fenOf, readFen, squareName, uciOf } from './chess_notation.mjs';
import { gameString } from './game_strings.mjs';
import { MOVE_CODES, decodeMove, viewOf } from './move_codes.mjs';
import { digits } from './position_bits.mjs';

const PARTIAL = ['butterfly', 'check-flag'], TEXTS = ['uci', 'san', 'lan'];
const EXACT = Object.keys(MOVE_CODES).filter(name => !PARTIAL.includes(name));

// The first words of the lines that `stamma encode --decode` prints: moves in UCI notation. Empty if the code is corrupt. In a
// position of Chess960, all castling is printed as king takes rook, also that of a side on the squares of standard chess.
function decoded(stamma, name, fen, ...rest) {
  const { stdout } = spawnSync(stamma, ['encode', '--decode', name, '--fen', fen, ...rest], { encoding: 'utf8' });
  return stdout.trim().split('\n').map(line => line.split(/\s+/)[0]).join(' ');
}

const textBits = text => [...text].map(letter => digits(letter.charCodeAt(0), 8)).join('');
const bitsOf = code => (typeof code.value === 'string' ? textBits(code.value + ' ') : digits(code.value, code.bits));

// The bits of a game in a code, without null moves that have no code; null if another move has none.
function codesOfGame(name, views, moves) {
  let bits = '', hasNullCode = true;
  for (const [ply, move] of moves.entries()) {
    const code = MOVE_CODES[name](views[ply], move);
    if (code) bits += bitsOf(code);
    else if (move.isNull) hasNullCode = false;
    else return null;
  }
  return { bits, hasNullCode };
}

function viewsOf(game) {
  const views = [];
  let position = readFen(game.fen || undefined);
  for (const move of game.moves) { views.push(viewOf(position)); position = afterMove(position, move); }
  return views;
}

const spellings = (move, side) => [uciOf(move, side), ...(move.castle ? [squareName(move.from) + squareName(move.rook)] : [])];
const isSpelling = (text, moves, views) => {
  const words = text.split(' ');
  return words.length === moves.length && moves.every((move, ply) => spellings(move, views[ply].position.side).includes(words[ply]));
};

function compareString(stamma, name, views, moves) {
  const codes = codesOfGame(name, views, moves);
  if (!codes) return '';
  const hex = gameString(moves, codes.bits, codes.hasNullCode);
  const theirs = decoded(stamma, name, fenOf(views[0].position), '--game', hex);
  return isSpelling(theirs, moves, views) ? '' : `${fenOf(views[0].position)} ${hex}: decodes to ${theirs || 'nothing'}`;
}

function compareChangedBit(stamma, name, view, move, random) {
  const code = MOVE_CODES[name](view, move);
  if (!code || code.bits === 0) return '';
  const value = Number(BigInt(code.value) ^ (1n << BigInt(random(code.bits)))), fen = fenOf(view.position);
  const ours = decodeMove(name, view, { bits: code.bits, value }), theirs = decoded(stamma, name, fen, '0b' + digits(value, code.bits));
  if (ours.length ? isSpelling(theirs, ours, [view]) : !theirs) return '';
  return `${fen} ${value} (${code.bits} bits): for the library ${theirs || 'corrupt'}`;
}

export function compareDecoding(stamma, game, report, random) {
  const views = viewsOf(game), ply = random(game.moves.length);
  for (const name of EXACT) {
    const message = compareString(stamma, name, views, game.moves);
    report(`${name}, games`, message && `${name}: ${message}`);
    if (TEXTS.includes(name)) continue;
    const changed = compareChangedBit(stamma, name, views[ply], game.moves[ply], random);
    report(`${name}, changed bits`, changed && `${name}: ${changed}`);
  }
}
