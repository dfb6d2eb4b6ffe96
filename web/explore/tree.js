/* SPDX-License-Identifier: MIT */
// The moves played in a position, as a table.

import { announce, el, notice } from '../base/dom.js';
import { bar } from '../base/bar.js';
import { surprise } from '../base/surprise.js';
import { sideBar } from '../filters/player_side.js';
import { count, date, evaluation, percent } from '../base/words.js';
import { share } from '../base/chances.js';
import { columnOf, inOrder, nextOrder } from './tree_order.js';

/** Returns the games of an answer or of one of its moves, including unfinished games. */
export const total = (row) => row.games ?? row.white + row.draws + row.black;

const number = (n) => (n || n === 0 ? String(Math.round(n)) : '–');

/** Returns the nodes of a date. Narrow screens omit the month. */
function month(text) {
  const [year, ...rest] = date({ date: text }).split('-');
  return [year, rest.length > 0 && el('span', { class: 'month' }, `-${rest.join('-')}`)];
}

// Label, class, column of an order (tree_order.js), and an explanation.
const COLUMNS = [
  ['Move', 'move', 'move', 'the move'], ['Games', 'n', 'games', 'games, and their share'],
  ['White · draws · Black', 'results', 'score', 'results of finished games; sorted by the score of the side to move'],
  ['Rating', 'n rating', 'rating', 'mean rating of the players'], ['Perf.', 'n performance', 'performance', 'performance rating of the side to move'],
  [() => surprise(), 'n bits', 'bits'],
  ['Last', 'n last', 'date', 'date of the latest game'],
  ['Eval.', 'n eval', null, 'evaluation of the engine, from White’s side'],
];

// With the games of one player, results and ratings are from the side of the player.
const PLAYER_COLUMNS = { results: ['Won · drawn · lost', 'the player’s results in finished games'], 'n rating': ['Opp.', 'mean rating of the player’s opponents'],
  'n performance': ['Perf.', 'performance rating of the player'] };

/* The heading of a column, which sorts by it. A heading that is explained has a separate button for this. */
function heading([label, kind, column, title], player, sort) {
  const [text, why] = (player && PLAYER_COLUMNS[kind]) || [label, title];
  if (!column) return el('th', { scope: 'col', class: kind, title: why }, text);
  const explained = typeof text === 'function';
  const button = el('button', { type: 'button', class: 'sort', 'aria-label': explained ? 'Sort by surprise' : null, onclick: () => sort(column) }, explained ? null : text);
  return el('th', { scope: 'col', class: kind, title: why, 'data-column': column }, explained && text(), button);
}

/* Shows the order in the headings. */
function mark(head, order) {
  const { column, descending } = columnOf(order);
  for (const cell of head.querySelectorAll('th')) {
    if (cell.dataset.column && cell.dataset.column === column) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    else cell.removeAttribute('aria-sort');
  }
}

function cells(row, all, first) {
  const [rating, performance] = row.player ? [row.player.opponents, row.player.performance] : [row.averageRating, row.performance];
  return [first, el('td', { class: 'n' }, count(total(row)), ' ', el('small', {}, percent(total(row), all))),
    el('td', { class: 'results' }, row.player ? sideBar(row.player) : bar(row)), el('td', { class: 'n rating' }, rating ? number(rating) : '–'),
    el('td', { class: 'n performance' }, number(performance)),
    el('td', { class: 'n bits' }, row.bits === null || row.bits === undefined ? '–' : row.bits.toFixed(1)),
    el('td', { class: 'n last' }, ...(row.lastDate ? month(row.lastDate) : ['–'])), el('td', { class: 'n eval' })];
}

function moveRow(move, all, options) {
  const link = el('a', { href: options.href(move.uci), title: move.opening ? `${move.opening.eco} ${move.opening.name}` : null }, move.san);
  const first = el('th', { scope: 'row' }, link);
  const row = el('tr', { 'data-uci': move.uci }, ...cells(move, all, first));
  row.addEventListener('click', (event) => { if (!event.target.closest('a') && !getSelection().toString()) link.click(); });
  for (const type of ['mouseenter', 'focusin']) row.addEventListener(type, () => options.point(move.uci));
  for (const type of ['mouseleave', 'focusout']) row.addEventListener(type, () => options.point(null));
  return row;
}

const lonely = (answer) => notice('empty', total(answer) > 0 ? 'Games end here; none went on.' : 'No game here had this position.');

/** Creates a table of an answer's moves. options: href(uci), the address after a move; point(uci or null), called by
 * the pointer; none(), what is shown after the notice that no game has the position, or null; order (tree_order.js);
 * sorted(order), called when the user has sorted the moves. */
export function treeTable(answer, options) {
  if (answer.moves.length === 0) return [lonely(answer), total(answer) === 0 && options.none()].filter(Boolean);
  const all = total(answer);
  const surprise = answer.moves.some((move) => typeof move.bits === 'number');
  const isWhite = answer.fen.split(' ')[1] !== 'b';
  const rows = new Map(answer.moves.map((move) => [move, moveRow(move, all, options)]));
  const body = el('tbody');
  let { order } = options;

  const put = () => { body.append(...inOrder(answer.moves, order, isWhite).map((move) => rows.get(move))); mark(head, order); };
  const sort = (column) => {
    order = nextOrder(order, column);
    put();
    options.sorted(order);
    for (const [move, row] of rows) row.querySelector('a').href = options.href(move.uci); // addresses have the order
    const text = head.querySelector(`[data-column="${column}"]`).textContent || 'surprise';
    announce(`Sorted by ${text}, ${columnOf(order).descending ? 'descending' : 'ascending'}`);
  };
  const head = el('tr', {}, ...COLUMNS.map((column) => heading(column, answer.player, sort)));
  put();
  return el('table', { class: surprise ? 'tree' : 'tree no-bits' }, el('caption', { class: 'unseen' }, 'Moves played in this position'),
    el('thead', {}, head), body, el('tfoot', {}, el('tr', {}, ...cells(answer, all, el('th', { scope: 'row' }, 'All')))));
}

/* Returns the move with the best evaluation for the side to move. */
function best(values, isWhite) {
  const order = [...values].sort(([, a], [, b]) => share(b) - share(a));
  return (isWhite ? order[0] : order.at(-1))?.[0];
}

/** Shows evaluations of the engine in a table: a Map by moves in UCI; null: hides the column. The column has room for all
 * values, so that nothing moves when they arrive. */
export function showEvaluations(table, values, depth, isWhite) {
  table.classList.toggle('evaluated', values !== null);
  if (!values) return;
  const first = best(values, isWhite);
  for (const row of table.tBodies[0].rows) {
    const [cell, value] = [row.querySelector('.eval'), values.get(row.dataset.uci)];
    cell.textContent = value === undefined ? '…' : evaluation(value);
    cell.title = value === undefined ? '' : `depth ${depth}`;
    cell.classList.toggle('best', row.dataset.uci === first);
  }
}
