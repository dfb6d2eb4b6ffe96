/* SPDX-License-Identifier: MIT */
// The repertoire of a player: a tree of moves, gaps, and results by opening, opponent's rating and year. The address
// is #/player/NAME, with the parameters color (white or black), play (the line on the board) and filters.

import { announce, el, notice } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { tree } from '../base/api.js';
import { turnTo } from '../board/column.js';
import { createFilters, filtersOf, PLAYERS } from '../filters/filters.js';
import { findGaps } from './gaps.js';
import { suggestions } from '../filters/nearest_names.js';
import { colourChoice, playerBox, valueIn, writeValue } from '../filters/player_box.js';
import { nameIn } from '../filters/player_names.js';
import { lineNodes, showOnBoard } from './player_line.js';
import { fillReport, want } from './report_request.js';
import { points, sideBar } from '../filters/player_side.js';
import { count, games, moveNumber, percent } from '../base/words.js';

const OPEN = 2; // levels of the tree that are open at first
const ROWS = 12;
const LEAST = 3; // games of a move in the tree
let parts = null;
let state = null;
let request = null;

/** Reads the parameters of the view: {name, color, line, filters}. */
const read = (name, params) => ({ name, color: params.color === 'black' ? 'black' : 'white', line: (params.play ?? '').split(',').filter(Boolean),
  filters: Object.fromEntries(Object.entries(filtersOf(params)).filter(([key]) => !PLAYERS.includes(key))) });

function address(change) {
  const { name, color, line, filters } = { ...state, ...change };
  return format('player', { color: color === 'white' ? '' : color, play: line.join(','), ...filters }, name);
}

const explorer = (line) => format('explore', { play: line.join(','), player: state.name, color: state.color, ...state.filters });

const showLine = (line) => showOnBoard(line, { whole: state.line, address: (one) => address({ line: one }), explorer, hint: 'Choose a move of the repertoire.' });

// ---- the tree ----

function moveLink(node, line, ply, numbered) {
  const link = el('a', { class: 'move', href: address({ line }), title: node.opening || null, 'data-play': line.join(',') }, node.san);
  link.addEventListener('mouseenter', () => showLine(line));
  link.addEventListener('focus', () => showLine(line));
  return [(numbered || ply % 2 === 1) && el('span', { class: 'number' }, moveNumber(ply)), link, ' '];
}

/** Creates the row of a node and of the moves that are the only ones after it, and the rows after these. */
function branch(node, before, level) {
  const line = [...before, node.uci];
  const links = moveLink(node, line, line.length, true);
  let end = node;
  while (end.moves.length === 1) {
    [end] = end.moves;
    line.push(end.uci);
    links.push(...moveLink(end, [...line], line.length, false));
  }
  const list = end.moves.length > 0 ? el('ul', { hidden: level >= OPEN }, ...end.moves.map((one) => branch(one, line, level + 1))) : null;
  const fold = list && el('button', { type: 'button', class: 'fold', 'aria-expanded': String(level < OPEN), 'aria-label': `Moves after ${end.san}`,
    onclick: (event) => { list.hidden = !list.hidden; event.currentTarget.setAttribute('aria-expanded', String(!list.hidden)); } });
  return el('li', {}, el('div', { class: 'row', 'data-play': [...before, node.uci].join(',') }, el('span', { class: 'moves-of' }, fold, ...links, end.again && el('small', { title: 'this position is above' }, '↑')),
    el('span', { class: 'n' }, count(node.games)), sideBar(node, 0.2), el('span', { class: 'n score' }, points(node))), list);
}

const head = () => el('div', { class: 'row head', 'aria-hidden': 'true' }, el('span', {}, 'Moves'), el('span', { class: 'n' }, 'Games'), el('span', { class: 'results' }, 'Won · drawn · lost'), el('span', { class: 'n' }, 'Score'));

function repertoireTree(answer) {
  const tree = answer.repertoire[`as_${state.color}`];
  if (tree.moves.length === 0) return notice('empty', 'There are too few games.');
  return el('div', { class: 'repertoire card-box' }, head(), el('ul', {}, ...tree.moves.map((node) => branch(node, [], 0))));
}

// ---- results by opening, rating and year ----

function resultTable(title, name, rows, link = null) {
  if (rows.length === 0) return null;
  return el('section', { class: 'card-box results-by' }, el('h2', {}, title), el('table', {}, el('caption', { class: 'unseen' }, title),
    el('thead', {}, el('tr', {}, ...[name, 'Games', 'Won · drawn · lost', 'Score', 'Perf.'].map((text, i) => el('th', { scope: 'col', class: [null, 'n', 'results', 'n', 'n performance'][i] }, text)))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, el('th', { scope: 'row' }, link ? el('a', { href: link(row) }, row.label) : row.label), el('td', { class: 'n' }, count(row.games)), el('td', { class: 'results' }, sideBar(row, 0.2)),
      el('td', { class: 'n' }, points(row)), el('td', { class: 'n performance' }, row.performance ?? '–'))))));
}

function tables(answer) {
  const named = (rows, label) => rows.filter((row) => row.games > 0).map((row) => ({ ...row, label: label(row) }));
  return el('div', { class: 'result-tables' },
    resultTable('Openings', 'Opening', named(answer.openings[`as_${state.color}`], (row) => row.name).slice(0, ROWS)),
    resultTable('Strength of the opponents', 'Rating', named(answer.opponents_ratings, (row) => `${row.from}–${row.from + 99}`)),
    resultTable('Years', 'Year', named(answer.years, (row) => String(row.year)).reverse()),
    resultTable('Opponents', 'Name', named(answer.opponents, (row) => row.name).slice(0, ROWS), (row) => format('player', {}, `=${row.name}`)));
}

function cards(side) {
  const card = (label, value) => el('div', { class: 'card' }, el('dt', {}, label), el('dd', {}, value));
  return el('dl', { class: 'cards' }, card('Games', count(side.games)), card('Score', points(side)), card('Performance', side.performance ?? '–'),
    card('Opponents’ rating', side.opponents_rating ?? '–'));
}

// ---- gaps ----

function gapRow(gap) {
  const own = gap.own.games === 0 ? 'no own game' : `${games(gap.own.games)}, ${points(gap.own)}`;
  const link = el('a', { class: 'gap-line', href: address({ line: gap.line }) }, ...lineNodes(gap.sans));
  link.addEventListener('focus', () => showLine(gap.line));
  link.addEventListener('mouseenter', () => showLine(gap.line));
  return el('li', { 'data-play': gap.line.join(',') }, link, el('span', { class: 'own' }, own), el('small', {}, `${percent(gap.share, 1)} of ${games(gap.field)}`));
}

async function showGaps(answer, signal) {
  const common = { moves: 500, topGames: 0, recentGames: 0, bits: '' };
  const ask = async (line, own) => (await tree({ ...common, play: line.join(','), ...state.filters, ...(own ? { player: state.name, color: state.color } : {}) }, signal)).moves;
  parts.gaps.setAttribute('aria-busy', 'true');
  try {
    const found = await findGaps(answer.repertoire[`as_${state.color}`], state.color, ask);
    if (signal.aborted) return;
    parts.gaps.replaceChildren(found.length > 0 ? el('ol', { class: 'gaps card-box' }, ...found.map(gapRow)) : notice('empty', 'No gap was found.'));
  } catch (error) {
    if (error.name === 'AbortError') return;
    parts.gaps.replaceChildren(notice('error', error.message));
  }
  parts.gaps.removeAttribute('aria-busy');
}

// ---- the view ----

function draw(answer) {
  announce(`${nameIn(state.name)}: ${games(answer[`as_${state.color}`].games)}`);
  if (answer.all.games === 0) return [notice('empty', 'No game of this player was found.'), suggestions({ ...state.filters, name: state.name }, ['name'], (field, name) => address({ name }))];
  parts.heading.textContent = answer.player;
  const names = answer.names.length > 1 ? `${answer.names.length} spellings: ${answer.names.slice(0, 6).map((row) => `${row.name} (${count(row.games)})`).join(', ')}` : '';
  parts.gaps = el('div', { id: 'gaps' }, notice('loading', 'Comparing with the games of others …'));
  return [names && el('p', { class: 'hint' }, names), cards(answer[`as_${state.color}`]), el('h2', {}, 'Own games as a tree'), repertoireTree(answer),
    el('h2', {}, 'Gaps'), el('p', { class: 'hint' }, 'Common replies in positions of the repertoire, to which the player has no game or scores less than 40 %.'), parts.gaps, tables(answer)].filter(Boolean);
}

function load() {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const asked = { player: state.name, color: state.color, min_games: LEAST, ...state.filters };
  fillReport(parts.body, asked, signal, (answer) => {
    const shown = draw(answer);
    if (answer.all.games > 0) showGaps(answer, signal);
    return shown;
  }, load);
}

function build(target) {
  const form = el('form', { class: 'player-form' }, playerBox({ name: 'name', label: 'Player', placeholder: 'Magnus Carlsen' }), colourChoice('color', 'Colour', ['white', 'black']),
    el('a', { class: 'button prepare' }, 'Prepare against this player'), el('a', { class: 'button train' }, 'Train this repertoire'));
  form.addEventListener('change', () => {
    const [name, color] = [valueIn(form.elements.name), form.elements.color.value];
    want(name);
    go(address({ name, color, line: name === state.name && color === state.color ? state.line : [] }));
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  const filters = createFilters((values) => go(address({ filters: values })), false);
  parts = { form, filters, heading: el('h1', {}), body: el('div', { class: 'player-body' }), gaps: null };
  target.append(parts.heading, form, filters.element, parts.body);
}

function write() {
  parts.heading.textContent = nameIn(state.name) || 'Players';
  writeValue(parts.form.elements.name, state.name);
  parts.form.elements.color.value = state.color;
  parts.filters.set(state.filters);
  const [link, train] = ['.prepare', '.train'].map((name) => parts.form.querySelector(name));
  link.hidden = train.hidden = !state.name;
  train.href = format('training', { player: state.name, color: state.color === 'white' ? '' : state.color, ...state.filters });
  link.href = format('prepare', { opponent: state.name, color: state.color === 'white' ? 'black' : '', ...state.filters });
}

export const view = {
  title: 'Player',
  show(item, params, target) {
    const before = state;
    if (!parts) build(target);
    state = read(item, params);
    write();
    const same = before && parts.body.firstChild && JSON.stringify({ ...before, line: 0 }) === JSON.stringify({ ...state, line: 0 });
    if (!same) turnTo(state.color === 'black' ? 'b' : 'w');
    showLine(state.line);
    document.title = `${nameIn(state.name) || 'Players'} – Stamma`;
    if (!state.name) parts.body.replaceChildren(el('p', { class: 'hint' }, 'Choose a player to see the repertoire: own moves as a tree, gaps, and results by opening, opponent and year.'));
    else if (!same) load();
  },
  hide() {
    request?.abort();
    parts = null;
    state = null;
  },
};
