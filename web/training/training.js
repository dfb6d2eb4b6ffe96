/* SPDX-License-Identifier: MIT */
// Training: repertoires, spaced repetition, and gaps. The addresses are #/training, with player, color, filters and
// analysis for a new repertoire; and #/training/ID, with tab (moves, train, gaps), play (the line on the board) and filters.

import { announce, el, notice } from '../base/dom.js';
import { format, go, replace } from '../base/address.js';
import { tree } from '../base/api.js';
import { hideColumn, showBelow, showPosition, turnTo } from '../board/column.js';
import { createFilters, filtersOf, PLAYERS } from '../filters/filters.js';
import { INITIAL, key, legalMoves, play } from '../base/rules.js';
import { showTab, tabList } from '../base/tabs.js';
import { lineNodes } from '../players/player_line.js';
import { createDrill } from './drill.js';
import { editor } from './editor.js';
import { addMove, after, cards, movesOn, positions } from './lines.js';
import { findGaps, GAMES } from './opponents.js';
import { createStart, inWords } from './start.js';
import { isEntry, store, storedAs } from './training_store.js';
import { count, games, percent } from '../base/words.js';

const TABS = { moves: 'Moves', train: 'Train', gaps: 'Gaps' };
const SHOWN = 30; // gaps
let parts = null;
let state = null;
let entry = null;
let before = []; // earlier repertoires, for Undo
let request = null;
let drill = null;

const read = (id, params) => ({ id, tab: TABS[params.tab] ? params.tab : 'moves', line: (params.play ?? '').split(',').filter(Boolean),
  filters: Object.fromEntries(Object.entries(filtersOf(params)).filter(([name]) => !PLAYERS.includes(name))) });

function address(change) {
  const { id, tab, line, filters } = { ...state, ...change };
  return format('training', { tab: tab === 'moves' ? '' : tab, play: line.join(','), ...filters }, id);
}

const start = () => (entry.fen === INITIAL ? '' : entry.fen);

/** Stores the changes that make(entry) returns, on top of those that another tab has stored. */
function save(make) {
  const latest = storedAs(entry.id) ?? entry;
  entry = { ...latest, ...make(latest), changed: Date.now() };
  if (!store(entry)) announce('The browser stores nothing: the changes are lost when the page is closed.');
}

// ---- moves ----

/** Replaces the repertoire, and goes to a line. */
function change(make, line = state.line) {
  before.push(entry);
  save((latest) => ({ moves: make(latest).moves }));
  if (line === state.line) showMoves();
  else go(address({ line }));
}

function undo() {
  const { moves } = before.pop();
  save(() => ({ moves }));
  const line = state.line.slice(0, movesOn(entry, state.line).length);
  if (line.length === state.line.length) showMoves();
  else replace(address({ line }));
}

function played(move) {
  const line = [...state.line, move.uci];
  if (after(entry, state.line).some((one) => one.uci === move.uci)) go(address({ line }));
  else change((one) => addMove(one, line, move.san), line);
}

function showLine(line) {
  const known = play(entry.fen, line);
  const ply = known.moves.length;
  const last = line[ply - 1];
  showPosition(known.fens[ply], { ply, length: ply, step: (to) => replace(address({ line: line.slice(0, to) })), play: played, start: entry.fen, ucis: line.slice(0, ply),
    playLine: (ucis) => ucis.length > 0 && played({ uci: ucis[0], san: play(known.fens[ply], ucis).moves[0].san }) },
  { moves: legalMoves(known.fens[ply]), last: last && { from: last.slice(0, 2), to: last.slice(2, 4) } });
  showBelow(el('p', { class: 'hint' }, 'Play a move to add it.'));
}

function showMoves() {
  request?.abort();
  request = new AbortController();
  showLine(state.line);
  const scrolled = parts.panel.querySelector('.lines')?.scrollTop ?? 0;
  const focused = document.activeElement?.matches('.mark') ? document.activeElement.dataset.uci : null;
  parts.panel.replaceChildren(...editor({ entry, line: state.line, start: start(), address: (line) => address({ line }), change, undo: before.length > 0 ? undo : null, filters: state.filters, focused, signal: request.signal }));
  parts.panel.querySelector('.lines').scrollTop = scrolled;
  parts.where.textContent = inWords(entry);
}

// ---- sessions ----

function showDrill() {
  if (drill?.running()) return;
  turnTo(entry.color === 'black' ? 'b' : 'w');
  showPosition(entry.fen, { ply: 0, length: 0, step() {}, play() {} }, { moves: [] });
  showBelow();
  drill = createDrill(parts.panel, { cards: cards(positions(entry)), entry, save: (name, card) => { save((latest) => ({ cards: { ...latest.cards, [name]: card } })); parts.where.textContent = inWords(entry); } });
}

// ---- gaps ----

function gapRow(gap) {
  return el('li', { 'data-play': gap.line.join(',') }, el('a', { class: 'gap-line', href: address({ tab: 'moves', line: gap.line.slice(0, -1) }) }, ...lineNodes(gap.sans)),
    el('span', { class: 'own' }, `${gap.expected.toFixed(1)} games`), el('small', {}, `${percent(gap.games, gap.all)} of ${games(gap.all)}`));
}

async function search(target) {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const ask = async (position) => (await tree({ fen: start(), play: position.line.join(','), moves: 500, topGames: 0, recentGames: 0, bits: '', ...state.filters }, signal)).moves;
  try {
    const found = await findGaps(positions(entry), key(entry.fen), ask, (n) => { target.replaceChildren(notice('loading', `${count(n)} positions compared …`)); });
    target.replaceChildren(found.length > 0 ? el('ol', { class: 'gaps card-box' }, ...found.slice(0, SHOWN).map(gapRow)) : notice('empty', 'No gap was found.'));
    announce(`${found.length} gaps`);
  } catch (error) {
    if (error.name !== 'AbortError') target.replaceChildren(notice('error', error.message));
  }
}

function showGaps() {
  request?.abort();
  showLine(state.line);
  const found = el('div', { id: 'training-gaps' });
  parts.panel.replaceChildren(el('p', { class: 'hint' }, `Replies without an answer in the repertoire, and in how many of ${GAMES} games they are expected. Choose the mean rating of the games with the filters.`),
    el('p', { class: 'links' }, el('button', { type: 'button', class: 'find-gaps', onclick: () => search(found) }, 'Find gaps')), found);
}

// ---- the view ----

function build(target) {
  const filters = createFilters((values) => go(address({ filters: values })), false);
  const tabs = tabList('Parts of training', 'training-panel', TABS, (tab) => go(address({ tab })));
  parts = { filters, tabs, heading: el('h1', {}), where: el('p', { class: 'summary' }), panel: el('div', { id: 'training-panel', role: 'tabpanel', class: 'player-body' }) };
  target.replaceChildren(parts.heading, parts.where, tabs, filters.element, parts.panel, el('p', { class: 'links' }, el('a', { href: '#/training' }, 'All repertoires')));
}

function showStart(target, params) {
  if (!parts?.start) {
    parts = { start: createStart() };
    hideColumn();
    showBelow();
    const rules = legalMoves(INITIAL).length > 0;
    target.replaceChildren(...[el('h1', {}, 'Training'), !rules && notice('error', 'This build has no rules of chess in the browser, which training needs.')].filter(Boolean), ...parts.start.elements);
  }
  parts.start.set(params);
}

function showEntry(target, tab) {
  if (!parts?.panel) { build(target); turnTo(entry.color === 'black' ? 'b' : 'w'); }
  if (tab !== state.tab) drill = null;
  parts.heading.textContent = entry.name;
  document.title = `${entry.name} – Stamma`;
  parts.panel.setAttribute('aria-label', TABS[state.tab]);
  parts.where.textContent = inWords(entry);
  parts.filters.element.hidden = state.tab === 'train';
  parts.filters.set(state.filters);
  showTab(parts.tabs, state.tab);
  ({ moves: showMoves, train: showDrill, gaps: showGaps })[state.tab]();
}

// Another tab has changed the repertoire.
window.addEventListener('storage', (event) => {
  const changed = state?.tab === 'moves' && entry && isEntry(event.key, entry.id) && storedAs(entry.id);
  if (!changed) return;
  entry = changed;
  showMoves();
});

export const view = {
  title: 'Training',
  show(item, params, target) {
    const tab = state?.tab;
    if (state?.id !== item) { parts = null; before = []; drill = null; }
    state = read(item, params);
    entry = item ? storedAs(item) : null;
    if (entry) state.line = state.line.slice(0, movesOn(entry, state.line).length);
    if (entry) { showEntry(target, tab); return; }
    showStart(target, params);
    if (item) target.prepend(notice('error', 'This browser has no repertoire with this address.'));
    document.title = 'Training – Stamma';
  },
  hide() {
    request?.abort();
    parts = null;
    state = null;
    drill = null;
    before = [];
  },
};
