/* SPDX-License-Identifier: MIT */
// Preparation: the moves of two players in one position, side by side; the opponent's moves in frequent positions; and
// the opponent's most surprising moves. The address is #/prepare, with the parameters me, opponent, color (of `me`),
// play (the line on the board) and filters.

import { surprise } from '../base/surprise.js';
import { announce, el, fillWhenThere, notice } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { tree } from '../base/api.js';
import { pointAt, turnTo } from '../board/column.js';
import { createFilters, filtersOf, PLAYERS } from '../filters/filters.js';
import { suggestions } from '../filters/nearest_names.js';
import { colourChoice, playerBox, valueIn, writeValue } from '../filters/player_box.js';
import { nameIn } from '../filters/player_names.js';
import { lineNodes, showOnBoard, walk } from './player_line.js';
import { fillReport, want } from './report_request.js';
import { points, sideBar } from '../filters/player_side.js';
import { count, date, games, percent } from '../base/words.js';

const OFTEN = 8; // games of a position in which a move may be surprising
const LEAST = 3; // games of a surprising move
const SURPRISES = 12;
const HABITS = 12;
const NAMED = 3; // moves that are shown for a position
let parts = null;
let state = null;
let requests = null;

const other = (color) => (color === 'white' ? 'black' : 'white');

/** Reads the parameters of the view: {me, opponent, color, line, filters}. */
const read = (params) => ({ me: params.me ?? '', opponent: params.opponent ?? '', color: params.color === 'black' ? 'black' : 'white', line: (params.play ?? '').split(',').filter(Boolean),
  filters: Object.fromEntries(Object.entries(filtersOf(params)).filter(([key]) => !PLAYERS.includes(key))) });

function address(change) {
  const { me, opponent, color, line, filters } = { ...state, ...change };
  return format('prepare', { me, opponent, color: color === 'white' ? '' : color, play: line.join(','), ...filters });
}

const explorer = (line) => format('explore', { play: line.join(','), player: state.opponent, color: state.opponent ? other(state.color) : '', ...state.filters });
const showLine = (line) => showOnBoard(line, { whole: state.line, address: (one) => address({ line: one }), explorer, hint: 'Play a move, or choose one from the table.' });

// ---- both players in one position ----

/** Joins the moves of two answers: {uci, san, bits, sides: [row of me, row of the opponent]}; undefined: not played. The
 * moves of the side to move come first. */
export function joinMoves(answers, first) {
  const moves = new Map();
  for (const i of [first, 1 - first]) {
    for (const row of answers[i]?.moves ?? []) {
      const move = moves.get(row.uci) ?? { uci: row.uci, san: row.san, bits: row.bits, sides: [undefined, undefined] };
      move.sides[i] = row;
      moves.set(row.uci, move);
    }
  }
  return [...moves.values()];
}

const otherNames = (who) => suggestions({ ...state.filters, [who]: state[who] }, [who], (field, value) => address({ [field]: value }));

function sideCell(row, all) {
  if (!row) return el('td', { class: 'side' }, el('span', { class: 'none' }, '–'));
  return el('td', { class: 'side' }, el('span', { class: 'facts' }, el('span', { class: 'n' }, count(row.games)), el('small', { class: 'n share' }, percent(row.games, all)), sideBar(row.player, 0.25),
    el('span', { class: 'n' }, points(row.player)), el('small', { class: 'n last' }, row.lastDate ? date({ date: row.lastDate }) : '–')));
}

function moveRow(move, answers) {
  const link = el('a', { href: address({ line: [...state.line, move.uci] }) }, move.san);
  const row = el('tr', { 'data-uci': move.uci }, el('th', { scope: 'row' }, link), ...move.sides.map((side, i) => sideCell(side, answers[i]?.games ?? 0)),
    el('td', { class: 'n bits' }, typeof move.bits === 'number' ? move.bits.toFixed(1) : '–'));
  row.addEventListener('click', (event) => { if (!event.target.closest('a')) link.click(); });
  for (const type of ['mouseenter', 'focusin']) row.addEventListener(type, () => pointAt(move.uci));
  for (const type of ['mouseleave', 'focusout']) row.addEventListener(type, () => pointAt(null));
  return row;
}

function bothTable(answers) {
  const white = state.line.length % 2 === 0;
  const mover = white === (state.color === 'white') ? 0 : 1;
  const moves = joinMoves(answers, mover);
  const names = [`${nameIn(state.me) || '–'} (${state.color})`, `${nameIn(state.opponent) || '–'} (${other(state.color)})`];
  announce(names.map((name, i) => `${name}: ${games(answers[i]?.games ?? 0)}`).join('; '));
  if (moves.length === 0) return notice('empty', 'Neither player has a game with this position.');
  return el('table', { class: 'both tree' }, el('caption', { class: 'unseen' }, 'Moves of both players in this position'),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Move'), ...names.map((name, i) => el('th', { scope: 'col', class: 'side', 'aria-current': i === mover ? 'true' : null, title: 'games, share, results, score, latest game' },
      name, i === mover && el('small', {}, ' to move'))), el('th', { scope: 'col', class: 'n bits' }, surprise()))),
    el('tbody', {}, ...moves.map((move) => moveRow(move, answers))));
}

const bothOf = (answers) => [bothTable(answers), state.line.length === 0 && answers[0]?.games === 0 && otherNames('me')].filter(Boolean);

function loadBoth() {
  requests.both?.abort();
  requests.both = new AbortController();
  const ask = (player, color) => (player ? tree({ play: state.line.join(','), topGames: 0, recentGames: 0, player, color, ...state.filters }, requests.both.signal) : null);
  fillWhenThere(parts.both, Promise.all([ask(state.me, state.color), ask(state.opponent, other(state.color))]), bothOf, loadBoth);
}

// ---- habits and surprises ----

function lineLink(line, sans) {
  const link = el('a', { class: 'gap-line', href: address({ line }) }, ...lineNodes(sans));
  link.addEventListener('mouseenter', () => showLine(line));
  link.addEventListener('focus', () => showLine(line));
  return link;
}

/** Returns the most surprising moves that a player repeats in frequent positions: {node, line, sans, before}. */
export function surprises(repertoire) {
  const found = [];
  walk(repertoire, (node, line, sans, before) => {
    if (typeof node.bits === 'number' && node.games >= LEAST && before >= OFTEN) found.push({ node, line, sans, before });
  });
  return found.sort((a, b) => b.node.bits - a.node.bits).slice(0, SURPRISES);
}

/** Returns the positions with the most games in which a player is to move: {line, sans, games, moves}. */
export function habits(repertoire, color) {
  const own = (plies) => (plies % 2 === 0) === (color === 'white');
  const found = own(0) ? [{ line: [], sans: [], games: repertoire.games, moves: repertoire.moves }] : [];
  walk(repertoire, (node, line, sans) => {
    if (own(line.length) && node.moves.length > 0) found.push({ line, sans, games: node.continued, moves: node.moves });
  });
  return found.sort((a, b) => b.games - a.games).slice(0, HABITS);
}

const fact = (node, whole) => `${percent(node.games, whole)} · ${points(node)}${node.last_date ? ` · ${node.last_date.slice(0, 7)}` : ''}`;

function habitRow(one) {
  return el('li', { 'data-play': one.line.join(',') }, el('span', { class: 'where' }, one.line.length > 0 ? lineLink(one.line, one.sans) : 'First move', el('small', {}, ` ${games(one.games)}`)),
    el('span', { class: 'plays' }, ...one.moves.slice(0, NAMED).map((node) => el('span', { class: 'habit' }, el('a', { href: address({ line: [...one.line, node.uci] }) }, node.san), ' ', el('small', {}, fact(node, one.games))))));
}

function surpriseRow({ node, line, sans, before }) {
  return el('li', { 'data-play': line.join(',') }, lineLink(line, sans), el('span', { class: 'n bits-value' }, `surprise ${node.bits.toFixed(1)}`),
    el('small', {}, `${count(node.games)} of ${games(before)} · ${fact(node, before)}`));
}

function habitsOf(answer) {
  const color = other(state.color);
  const tree = answer.repertoire[`as_${color}`];
  if (tree.moves.length === 0) return [notice('empty', 'There are too few games of the opponent.'), answer.all.games === 0 && otherNames('opponent')].filter(Boolean);
  const odd = surprises(tree);
  return [el('h2', {}, 'Habits by position'), el('p', { class: 'hint' }, 'What the opponent plays: share of the games, score of the opponent, latest game.'),
    el('ol', { class: 'habits card-box' }, ...habits(tree, color).map(habitRow)),
    ...(odd.length > 0 ? [el('h2', {}, 'Most surprising moves'), el('p', { class: 'hint' }, 'Moves with the most ', surprise('surprise'), `, in positions that the opponent had at least ${OFTEN} times.`),
      el('ol', { class: 'gaps surprises card-box' }, ...odd.map(surpriseRow))] : [])];
}

function loadHabits() {
  requests.habits?.abort();
  requests.habits = new AbortController();
  if (!state.opponent) { parts.habits.replaceChildren(); return; }
  fillReport(parts.habits, { player: state.opponent, color: other(state.color), min: LEAST, bits: 1, ...state.filters }, requests.habits.signal, habitsOf, loadHabits);
}

// ---- the view ----

function build(target) {
  const form = el('form', { class: 'player-form' }, playerBox({ name: 'me', label: 'My name', placeholder: 'Magnus Carlsen' }), playerBox({ name: 'opponent', label: 'Opponent', placeholder: 'Fabiano Caruana' }),
    colourChoice('color', 'My colour', ['white', 'black']));
  form.addEventListener('change', () => {
    const [me, opponent] = [valueIn(form.elements.me), valueIn(form.elements.opponent)];
    const color = form.elements.color.value;
    if (opponent !== state.opponent) want(opponent);
    go(address({ me, opponent, color, line: color === state.color ? state.line : [] }));
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  requests = { both: null, habits: null };
  const filters = createFilters((values) => go(address({ filters: values })), false);
  parts = { form, filters, both: el('div', { id: 'both' }), habits: el('div', { id: 'habits', class: 'player-body' }) };
  target.append(el('h1', {}, 'Preparation'), form, filters.element, parts.both, parts.habits);
}

const key = (one) => JSON.stringify([one.opponent, one.color, one.filters]);

export const view = {
  title: 'Preparation',
  show(item, params, target) {
    const before = state;
    if (!parts) build(target);
    state = read(params);
    for (const name of ['me', 'opponent']) writeValue(parts.form.elements[name], state[name]);
    parts.form.elements.color.value = state.color;
    parts.filters.set(state.filters);
    if (before?.color !== state.color) turnTo(state.color === 'black' ? 'b' : 'w');
    showLine(state.line);
    if (state.me || state.opponent) loadBoth();
    else parts.both.replaceChildren(el('p', { class: 'hint' }, 'Choose your name and the name of the opponent.'));
    if (!before || key(before) !== key(state)) loadHabits();
  },
  hide() {
    requests.both?.abort();
    requests.habits?.abort();
    parts = null;
    state = null;
  },
};
