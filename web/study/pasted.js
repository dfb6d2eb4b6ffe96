/* SPDX-License-Identifier: MIT */
// What a pasted text means: a position, a line of moves, or games.

import { INITIAL, isLegalPosition, isPlacement, playOne } from '../base/rules.js';
import { fromPgn, splitGames } from './pgn.js';

const GAME = /[[({$;]|(^|\s)(1-0|0-1|1\/2-1\/2|\*)\s*$/; // tags, comments, variations, signs, or a result
const NUMBER = /(^|\s)\d+\s*(\.+|…)/g;
const FIGURES = { '♔': 'K', '♕': 'Q', '♖': 'R', '♗': 'B', '♘': 'N', '♙': '', '♚': 'K', '♛': 'Q', '♜': 'R', '♝': 'B', '♞': 'N', '♟': '' };
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/i;

/* Returns the FEN of a text that is one, with the fields that it lacks; otherwise null. */
function fenOf(text) {
  if (!isPlacement(text) || /[\r\n]/.test(text)) return null;
  const given = text.split(/\s+/);
  const fen = [...given, ...['', 'w', '-', '-', '0', '1'].slice(given.length)].slice(0, 6).join(' ');
  return isLegalPosition(fen) ? fen : null;
}

const wordsOf = (text) => text.replace(/[♔-♟]/g, (one) => FIGURES[one]).replace(NUMBER, ' ').split(/[\s,]+/).map((word) => word.replace(/[!?…]+$/, '')).filter(Boolean);

/* Plays words from a position. Returns the moves before the first word that is not a legal move, and this word. */
function played(fen, words) {
  const ucis = [];
  let at = fen;
  for (const word of words) {
    const move = playOne(at, UCI.test(word) ? word.toLowerCase() : word);
    if (!move) return { ucis, wrong: word };
    ucis.push(move.uci);
    at = move.fen;
  }
  return { ucis, wrong: null };
}

/* Moves with the number 1 begin in the initial position. Others continue the position that is shown, if they are legal there. */
function lineOf(text, here) {
  const [words, number] = [wordsOf(text), /^\s*(\d+)/.exec(text)?.[1]];
  const start = number === undefined || number === '1' ? [{ from: 'start', fen: INITIAL }] : [];
  const shown = here ? [{ from: 'here', fen: here }] : [];
  const tries = (number === '1' ? [...start, ...shown] : [...shown, ...start]).map((one) => ({ kind: 'line', ...one, ...played(one.fen, words) }));
  const best = tries.find((one) => one.wrong === null) ?? tries.sort((a, b) => b.ucis.length - a.ucis.length)[0];
  return best?.ucis.length > 0 ? best : null;
}

/** Returns what a text means: {kind: 'position', fen}; {kind: 'line', from: 'start' or 'here', ucis, wrong}, `wrong` is the
 * first word that is not a legal move, or null; {kind: 'games', number, problems}; {kind: 'nothing'}. `here` is the FEN of the
 * position that is shown, or null. */
export function meaning(text, here = null) {
  const plain = text.replace(/^\uFEFF/, '').trim();
  const fen = fenOf(plain);
  if (fen) return { kind: 'position', fen };
  const line = GAME.test(plain) ? null : lineOf(plain, here);
  if (line) return line;
  const games = splitGames(plain).map((one) => fromPgn(one)).filter(Boolean);
  const read = games.filter((game) => Object.keys(game.tags).length > 0 || game.tree.children.length > 0);
  if (read.length > 0) return { kind: 'games', number: read.length, problems: read.flatMap((game) => game.problems) };
  return { kind: 'nothing' };
}

/** Returns the message for a text that is neither of them. */
export function complaint(text) {
  const plain = text.trim();
  if (plain === '') return 'The clipboard contains no text.';
  if (isPlacement(plain) && !/[\r\n]/.test(plain)) return 'This FEN is not a legal position.';
  const [first = ''] = wordsOf(plain.slice(0, 200));
  return `This is no PGN, FEN or list of moves: ${first.slice(0, 40)}`;
}

/** Returns the message for words that are not legal moves. */
export const problemsInWords = (problems) => `Lines end where moves are not legal: ${problems.slice(0, 5).join(', ')}${problems.length > 5 ? ' …' : ''}`;
