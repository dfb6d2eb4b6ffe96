/* SPDX-License-Identifier: MIT */
// Statistics: results by year and rating, the moves played, and players. The address contains filters and a position
// (fen, play).

import { el, fillWhenThere, notice, announce } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { stats } from '../base/api.js';
import { resultChart, spans } from '../base/charts.js';
import { filterSuggestions } from '../filters/nearest_names.js';
import { createFilters, filtersOf } from '../filters/filters.js';
import { bar } from '../base/bar.js';
import { INITIAL, legalMoves, play, readMove } from '../base/rules.js';
import { count, games, percent } from '../base/words.js';

const ROWS = 12;
let parts = null;
let request = null;

/* Returns rows with results in the form that bars, charts and the explorer use. */
const withResults = (rows) => rows.map((row) => ({ ...row, white: row.white_wins, black: row.black_wins }));

/** A game counts twice here, once for each of its players. So do its results. */
const byRating = (rows) => rows.map((row) => ({ from: row.from, games: row.games, white: row.as_white.white_wins + row.as_black.white_wins,
  draws: row.as_white.draws + row.as_black.draws, black: row.as_white.black_wins + row.as_black.black_wins }));

function card(label, value, more = '') {
  return el('div', { class: 'card' }, el('dt', {}, label), el('dd', {}, value, more && el('small', {}, ` ${more}`)));
}

function cards(answer) {
  const share = (n) => percent(n, answer.games);
  return el('dl', { class: 'cards' }, card('Games', count(answer.games)), card('White won', share(answer.white_wins), count(answer.white_wins)),
    card('Drawn', share(answer.draws), count(answer.draws)), card('Black won', share(answer.black_wins), count(answer.black_wins)),
    card('Mean length', `${Math.round(answer.mean_plies / 2)}`, 'moves'), card('Longest', `${Math.ceil(answer.longest / 2)}`, answer.longest > 2 ? 'moves' : 'move'),
    card('Both rated', share(answer.rated), count(answer.rated)));
}

function list(title, rows, cells) {
  if (!rows?.length) return null;
  return el('section', { class: 'top-list' }, el('h2', {}, title), el('table', {},
    el('caption', { class: 'unseen' }, title), el('tbody', {}, ...rows.slice(0, ROWS).map((row) => el('tr', {}, ...cells(row))))));
}

/** Returns the address of the explorer after first moves in SAN; null if the rules are not available. */
function explored(text, filters) {
  const line = [];
  for (const san of text.split(' ')) {
    const move = readMove(legalMoves(play(INITIAL, line).fens.at(-1)), san);
    if (!move) return null;
    line.push(move.uci);
  }
  return format('explore', { play: line.join(','), ...filters });
}

const linkTo = (address, text) => (address ? el('a', { href: address }, text) : text);

const resultCells = (key, link) => (row) => [
  el('th', { scope: 'row' }, linkTo(link?.(row[key]), row[key])), el('td', { class: 'n' }, count(row.games)), el('td', { class: 'results' }, bar(row, 0.28))];
const playerCells = (link) => (row) => [
  el('th', { scope: 'row' }, el('a', { href: link(row.name) }, row.name)), el('td', { class: 'n' }, count(row.games)), el('td', { class: 'n' }, percent(row.points, row.games))];

function draw(answer, params) {
  announce(`Statistics of ${games(answer.games)}`);
  const filters = filtersOf(params);
  if (answer.games === 0) return [notice('empty', 'No game fits.'), filterSuggestions(filters, (values) => format('statistics', { ...params, ...values }))].filter(Boolean);
  const filtered = (name) => (value) => format('statistics', { ...params, [name]: value });
  const years = spans(withResults(answer.years), 'year', 40);
  const ratings = spans(byRating(answer.ratings), 'from', 40, 100).map((row) => ({ ...row, to: row.to + 99 }));
  return [cards(answer), el('div', { class: 'charts' }, resultChart('Results by year', 'Year', years), resultChart('Results by rating of the players', 'Rating', ratings)),
    el('div', { class: 'top-lists' }, list('Openings', withResults(answer.openings), resultCells('name', (opening) => format('explore', { ...filters, opening: `=${opening}` }))), list('ECO codes', withResults(answer.eco), resultCells('code', filtered('eco'))),
      list('First moves', withResults(answer.first_moves), resultCells('moves', (moves) => explored(moves, filters))), list('Players, and their share of points', answer.players, playerCells((name) => filtered('player')(`=${name}`))),
      list('Time controls', withResults(answer.time_controls).filter((row) => row.name !== '?'), resultCells('name')),
      list('Terminations', withResults(answer.terminations).filter((row) => row.name !== '?'), resultCells('name')))];
}

export const view = {
  title: 'Statistics',
  show(item, params, target) {
    const position = { fen: params.fen, play: params.play };
    const wanted = { ...position, ...filtersOf(params) };
    if (!parts) {
      parts = { filters: createFilters((values) => go(format('statistics', { ...parts.position, ...values }))), where: el('p', { class: 'links' }), numbers: el('div', { id: 'numbers' }) };
      target.append(el('h1', {}, 'Statistics'), parts.where, parts.filters.element, parts.numbers);
    }
    parts.position = position;
    parts.filters.set(params);
    const placed = params.fen || params.play;
    parts.where.replaceChildren(...(placed ? ['Games that had ', el('a', { href: format('explore', wanted) }, 'one position'), ' · ',
      el('a', { href: format('statistics', filtersOf(params)) }, 'all positions')] : []));
    request?.abort();
    request = new AbortController();
    fillWhenThere(parts.numbers, stats(wanted, request.signal), (answer) => draw(answer, wanted), () => this.show(item, params, target));
  },
  hide() {
    request?.abort();
    parts = null;
  },
};
