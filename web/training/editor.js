/* SPDX-License-Identifier: MIT */
// The moves of a repertoire as a tree, and the moves of the archives in the position on the board. Own moves can be
// marked, and moves can be added and deleted.

import { el, fillWhenThere } from '../base/dom.js';
import { tree } from '../base/api.js';
import { pointAt } from '../board/column.js';
import { points, sideBar } from '../filters/player_side.js';
import { addMove, after, isOwn, movesOn, removeMove, setMark } from './lines.js';
import { count, moveNumber, percent } from '../base/words.js';

const ROWS = 12;
const NO_GAMES = { games: 0, white: 0, draws: 0, black: 0 };

// ---- the tree ----

function link(node, line, numbered, options) {
  const { entry } = options;
  const own = isOwn(entry, line.length - 1);
  const here = line.join() === options.line.join();
  return [(numbered || line.length % 2 === 1) && el('span', { class: 'number' }, moveNumber(line.length)),
    el('a', { class: own && !node.mark ? 'move unmarked' : 'move', href: options.address(line), 'data-play': line.join(','), 'aria-current': here ? 'step' : null }, node.san,
      own && el('span', { class: 'star', title: node.mark ? 'in the repertoire' : 'not in the repertoire' }, node.mark ? '★' : '☆')), ' '];
}

/** Creates the row of a move and of the moves that are the only ones after it, and the rows after these. */
function branch(node, before, options) {
  const line = [...before, node.uci];
  const links = link(node, line, true, options);
  let end = node;
  while (end.moves.length === 1) {
    [end] = end.moves;
    line.push(end.uci);
    links.push(...link(end, [...line], false, options));
  }
  return el('li', {}, el('div', { class: 'moves-of' }, ...links), end.moves.length > 0 && el('ul', {}, ...end.moves.map((one) => branch(one, line, options))));
}

// ---- the moves of the archives ----

/** Results from the side of the owner. */
const sideOf = (row, color) => ({ wins: row[color], draws: row.draws, losses: row[color === 'white' ? 'black' : 'white'] });

/** Joins the moves of the repertoire and those of the archives, most games first: [{uci, san, row, node}]. */
function joined(moves, rows) {
  const known = moves.map((node) => ({ uci: node.uci, san: node.san, node, row: rows.find((row) => row.uci === node.uci) ?? NO_GAMES }));
  const others = rows.filter((row) => !moves.some((node) => node.uci === row.uci)).slice(0, ROWS).map((row) => ({ uci: row.uci, san: row.san, node: null, row }));
  return [...known, ...others].sort((a, b) => b.row.games - a.row.games);
}

function toggle(move, options) {
  const line = [...options.line, move.uci];
  const own = isOwn(options.entry, options.line.length);
  const active = own ? Boolean(move.node?.mark) : move.node !== null;
  const change = (repertoire) => (!move.node ? addMove(repertoire, line, move.san) : own ? setMark(repertoire, line, !active) : removeMove(repertoire, line));
  const words = own ? (active ? 'Remove the mark of' : 'Mark') : active ? 'Remove' : 'Add';
  return el('button', { type: 'button', class: 'quiet mark', 'data-uci': move.uci, 'aria-pressed': String(active), 'aria-label': `${words} ${move.san}`, title: words, onclick: () => options.change(change) }, own ? (active ? '★' : '☆') : active ? '✓' : '+');
}

function moveRow(move, all, options) {
  const side = sideOf(move.row, options.entry.color);
  const row = el('tr', { 'data-uci': move.uci }, el('td', {}, toggle(move, options)),
    el('th', { scope: 'row' }, move.node ? el('a', { href: options.address([...options.line, move.uci]) }, move.san) : move.san),
    el('td', { class: 'n' }, count(move.row.games)), el('td', { class: 'n share' }, percent(move.row.games, all)), el('td', { class: 'results' }, sideBar(side, 0.2)), el('td', { class: 'n' }, points(side)));
  for (const type of ['mouseenter', 'focusin']) row.addEventListener(type, () => pointAt(move.uci));
  for (const type of ['mouseleave', 'focusout']) row.addEventListener(type, () => pointAt(null));
  return row;
}

function answers(answer, options) {
  const all = answer.moves.reduce((sum, row) => sum + row.games, 0);
  const moves = joined(after(options.entry, options.line), answer.moves);
  if (moves.length === 0) return el('p', { class: 'hint' }, 'No game of the archives went on from here. Play a move on the board to add it.');
  return el('table', { class: 'answers-of tree' }, el('caption', { class: 'unseen' }, 'Moves in this position'),
    el('thead', {}, el('tr', {}, ...[['', 'mark'], ['Move', ''], ['Games', 'n'], ['Share', 'n share'], ['Won · drawn · lost', 'results'], ['Score', 'n']].map(([text, kind]) => el('th', { scope: 'col', class: kind || null }, text || el('span', { class: 'unseen' }, 'In the repertoire'))))),
    el('tbody', {}, ...moves.map((move) => moveRow(move, all, options))));
}

// ---- both ----

/** Creates the elements. options: entry; line, on the board; address(line); change(make), which replaces the repertoire
 * by make(repertoire); undo(), or null; start, a FEN, or '' for
 * the initial position; filters, of the games; focused, the move whose button has the focus; signal. */
export function editor(options) {
  const { entry, line } = options;
  const last = movesOn(entry, line).at(-1);
  const own = line.length > 0 && isOwn(entry, line.length - 1);
  const table = el('div', { id: 'answers' });
  const button = (label, act) => el('button', { type: 'button', onclick: act }, label);
  const ask = async () => {
    await fillWhenThere(table, tree({ fen: options.start, play: line.join(','), topGames: 0, recentGames: 0, bits: '', ...options.filters }, options.signal), (answer) => answers(answer, options), ask);
    if (options.focused) table.querySelector(`.mark[data-uci="${options.focused}"]`)?.focus();
  };
  ask();
  return [el('div', { class: 'lines card-box', tabindex: 0, role: 'region', 'aria-label': 'Moves of the repertoire' }, el('ul', {}, ...entry.moves.map((one) => branch(one, [], options)))),
    el('p', { class: 'links' }, last && own && button(last.mark ? `Remove the mark of ${last.san}` : `Mark ${last.san}`, () => options.change((one) => setMark(one, line, !last.mark))),
      last && button(`Delete ${last.san} and what follows`, () => options.change((one) => removeMove(one, line), line.slice(0, -1))), options.undo && button('Undo', options.undo)), table];
}
