/* SPDX-License-Identifier: MIT */
// Short addresses of positions. #/g/ID/24 is a game at a ply, and #/g/ID/24.1 a ply of a variation. #/e/MOVES is a line in the
// explorer: two characters for each move, the square from which and the square to which a piece moves, and a point and a
// letter after a promotion.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'; // a1, b1, ... h8
const MOVE = /([\w-])([\w-])(?:\.([qrbn]))?/y;

const letter = (square) => ALPHABET['abcdefgh'.indexOf(square[0]) + 8 * (Number(square[1]) - 1)];
const square = (one) => { const index = ALPHABET.indexOf(one); return 'abcdefgh'[index % 8] + (1 + Math.floor(index / 8)); };

/** Writes moves in UCI as a short text. */
export const packed = (ucis) => ucis.map((uci) => letter(uci.slice(0, 2)) + letter(uci.slice(2, 4)) + (uci[4] ? `.${uci[4]}` : '')).join('');

/** Reads the moves of packed(), up to the first error. */
export function unpacked(text) {
  const ucis = [];
  MOVE.lastIndex = 0;
  for (let found = MOVE.exec(text); found; found = MOVE.exec(text)) ucis.push(square(found[1]) + square(found[2]) + (found[3] ?? ''));
  return ucis;
}

/** Returns the parts of an address {view, item, params} in the long form. Other addresses are returned unchanged. */
export function long({ view, item, params }) {
  if (view === 'e') return { view: 'explore', item: '', params: { ...params, play: unpacked(item).join() } };
  const [, id, ply, line] = (view === 'g' && /^(.+?)(?:\/(\d+)(?:\.(\d+))?)?$/.exec(item)) || [];
  return id === undefined ? { view, item, params } : { view: 'game', item: id, params: { ...params, ...(ply && { ply }), ...(line && { line }) } };
}

/** Returns the short address of a ply of a game, or of a variation. */
export const gameLink = (id, ply, line = null) => `#/g/${encodeURIComponent(id)}/${ply}${line === null ? '' : `.${line}`}`;

/** Returns the short address of a line in the explorer. `query` is that of the other parameters. */
export const lineLink = (ucis, query) => `#/${ucis.length > 0 ? `e/${packed(ucis)}` : 'explore'}${query && `?${query}`}`;
