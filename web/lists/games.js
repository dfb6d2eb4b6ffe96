/* SPDX-License-Identifier: MIT */
// Lists of games: examples of a position, and results of a search.

import { el } from '../base/dom.js';
import { format } from '../base/address.js';
import { file } from '../base/api.js';
import { count, date, name, result } from '../base/words.js';

/* A player of a game of the explorer, or of a search. */
const playerOf = (game, side) => game[side]?.name === undefined ? { name: game[side], rating: game[`${side}_rating`] } : game[side];

const player = (one) => [el('span', { class: 'name' }, name(one)), one.rating ? el('small', {}, ` ${one.rating}`) : ''];

/** Returns the address of a game: at the ply that was found, or at the position `fen`. */
export function gameAddress(game, fen = '') {
  const params = game.match?.length ? { ply: game.match[0] } : { fen };
  return format('game', params, game.id);
}

/** Creates a row of the table. */
export function gameRow(game, options) {
  const link = el('a', { href: gameAddress(game, options.fen) },
    el('span', { class: 'white' }, ...player(playerOf(game, 'white'))), el('span', { class: 'unseen' }, ' against '), el('span', { class: 'black' }, ...player(playerOf(game, 'black'))),
    el('span', { class: 'unseen' }, `, ${result(game)}, ${date(game)}`));
  const tr = el('tr', { 'data-id': game.id }, el('td', { class: 'players' }, link), el('td', { class: `result ${game.winner ?? 'draw'}` }, result(game)),
    ...options.columns.map((column) => el('td', { class: column }, COLUMNS[column][1](game, options))));
  tr.addEventListener('click', (event) => { if (!event.target.closest('a')) link.click(); });
  return tr;
}

const COLUMNS = {
  move: ['Move', (game, options) => options.san?.(game.uci) ?? game.uci ?? '–'],
  opening: ['ECO', (game) => game.eco ?? ''],
  event: ['Event', (game) => game.event ?? ''],
  length: ['Plies', (game) => String(game.plies ?? '')],
  date: ['Date', (game) => date(game)],
};

/** The number of games on a page of a search. */
export const PAGE = 20;

const SAVED = 10000; // largest number of games in one file, as in the server

/** Returns links to save `number` games of a request as PGN and CSV. Their texts report if not all games are saved. */
export function saveLinks(request, number) {
  const part = number > SAVED ? ` (first ${count(SAVED)})` : '';
  return ['pgn', 'csv'].map((kind) => el('a', { href: file('find', { ...request, format: kind, limit: SAVED }), download: `games.${kind}` }, `Save ${kind.toUpperCase()}${part}`));
}

/** Creates a table of games. options: columns (move, opening, event, length, date); fen, the position at which games
 * open; san(uci). */
export function gamesTable(games, options) {
  const heads = ['Players', 'Result', ...options.columns.map((column) => COLUMNS[column][0])];
  return el('table', { class: 'games' }, el('caption', { class: 'unseen' }, options.caption ?? 'Games'),
    el('thead', {}, el('tr', {}, ...heads.map((head, i) => el('th', { scope: 'col', class: i < 2 ? null : options.columns[i - 2] }, head)))),
    el('tbody', {}, ...games.map((game) => gameRow(game, options))));
}
