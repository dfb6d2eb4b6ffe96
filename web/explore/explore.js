/* SPDX-License-Identifier: MIT */
// The explorer: a line on the board, the moves played after it, and games with the position. Parameters of its address:
// fen (the start of the line), play (its moves in UCI), ply (the position shown; default: the end of the line), history
// (1: show results by month), order (of the moves in the table), and filters.

import { announce, el, fillWhenThere, notice } from '../base/dom.js';
import { format, go, query, replace } from '../base/address.js';
import { isCompact, watchCompact } from '../base/compact.js';
import { linkButton } from '../base/copy.js';
import { lineLink } from '../base/short_links.js';
import { isTreeKnown, quickTree, tree } from '../base/api.js';
import { INITIAL, isPlacement, legalMoves, play, squares } from '../base/rules.js';
import { toSubFen } from '../base/pattern.js';
import { filterSuggestions } from '../filters/nearest_names.js';
import { createFilters, filterInWords } from '../filters/filters.js';
import { askedOf, positionOf, read } from './request.js';
import { createFound } from '../lists/found.js';
import { gamesTable, saveLinks } from '../lists/games.js';
import { createOrders } from './orders.js';
import { createTablebase } from './tablebase.js';
import { fenForm, knownLine, lineList } from '../board/line_view.js';
import { lineParams } from '../base/line.js';
import { previewFor } from '../board/preview.js';
import { whenAtRest } from '../base/rest.js';
import { showEvaluations, total, treeTable } from './tree.js';
import { createMoveEvals } from '../engine/engine.js';
import { EMPTY, pointAt, showBelow, showPosition } from '../board/column.js';
import { games, several } from '../base/words.js';
import { openingAt, openingName, openingTrail } from '../base/openings.js';
import { showTab, tabList } from '../base/tabs.js';

let parts = null;
let state = null;
let request = null;

function address(change) {
  const { filters, tab, sort, history, order, ...line } = { ...state, ...change };
  const params = { ...lineParams(line), ...filters, order };
  if (tab !== 'top') params.games = tab;
  if (tab === 'all') params.sort = sort;
  if (history) params.history = 1;
  if (change.offset) params.offset = change.offset;
  return format('explore', params);
}

/** Returns the address after a move. If the line continues with that move, the line is kept; otherwise it is cut here. */
function after(uci) {
  const { line, ply } = state;
  return address({ line: line[ply] === uci ? line : [...line.slice(0, ply), uci], ply: ply + 1 });
}

const lineOf = (known) => lineList(state, known, (ply) => address({ ply }), 'Play a move: drag or click a piece, type it, or choose one from the table.');

/** Shows the position on the board, first with the legal moves of the rules, and with more data when the server has
 * answered. */
function showBoard(known, answer) {
  const fen = answer?.fen ?? known.fens[state.ply];
  if (!fen) return;
  const moves = legalMoves(fen);
  for (const { uci, san } of answer?.moves ?? []) {
    if (!moves.some((move) => move.uci === uci)) moves.push({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4], uci, san });
  }
  const last = state.line[state.ply - 1];
  showPosition(isPlacement(fen) ? fen : EMPTY, {
    ply: state.ply, length: state.line.length, step: (ply) => replace(address({ ply })), play: (move) => go(after(move.uci)),
    start: state.fen, ucis: state.line.slice(0, state.ply), playLine: (ucis) => go(address({ line: [...state.line.slice(0, state.ply), ...ucis], ply: state.ply + ucis.length })),
  }, { moves, last: last && { from: last.slice(0, 2), to: last.slice(2, 4) } });
  parts.fen.value = fen;
}

/** Returns the title, the number of games, and how the names of the opening changed. */
function heading(answer) {
  const { openings } = answer;
  const opening = openingAt(openings, state.ply);
  const name = opening?.name ?? (state.ply === 0 && state.fen === INITIAL ? 'Initial position' : 'Position');
  const filters = Object.entries(state.filters).filter(([filter]) => filter !== 'archive').map((one) => filterInWords(...one));
  announce(`${name}: ${games(total(answer))}, ${several(answer.moves.length, 'move')}`);
  return [el('h1', { title: opening && `${opening.eco} ${name}` }, ...(opening ? openingName(opening) : [name])),
    el('p', { class: 'summary' }, games(total(answer))), openingTrail(openings, state.ply, (ply) => address({ ply })),
    filters.length > 0 && el('p', { class: 'hint filtered' }, `Filters: ${filters.join('; ')}`)].filter(Boolean);
}

function examples(answer) {
  const san = (uci) => answer.moves.find((move) => move.uci === uci)?.san;
  const chosen = state.tab === 'recent' ? answer.recentGames : answer.topGames;
  if (!chosen?.length) return notice('empty', 'No game.');
  return gamesTable(chosen, { columns: ['move', 'date'], fen: answer.fen, san, caption: state.tab === 'recent' ? 'Latest games' : 'Games of the strongest players' });
}

const position = () => positionOf(state);

function showGames() {
  parts.found.stop();
  showTab(parts.tabs, state.tab);
  const all = state.tab === 'all';
  parts.examples.hidden = all;
  parts.examples.removeAttribute('aria-busy');
  parts.all.hidden = !all;
  if (all) parts.found.start(position(), { offset: state.offset, sort: state.sort });
  else fillWhenThere(parts.examples, parts.named, (answer) => (answer ? examples(answer) : []));
}

/** Shows results by month, and a note about games without a month. */
function historyChart(answer, { monthSpans, resultChart }) {
  const rows = monthSpans(answer.history);
  const known = rows.reduce((sum, row) => sum + row.games, 0);
  const without = answer.white + answer.draws + answer.black - known;
  const years = rows[0]?.from.length === 4;
  return [resultChart(`Results of this position by ${years ? 'year' : 'month'}`, years ? 'Year' : 'Month', rows),
    without > 0 && known > 0 && el('p', { class: 'hint' }, `Without a month, and so not here: ${games(without)}. Statistics of these games has those whose year is known.`)];
}

function showHistory() {
  parts.history.open = state.history;
  if (!state.history) return;
  fillWhenThere(parts.chart, Promise.all([parts.shared, import('../base/charts.js')]), ([answer, charts]) => (answer ? historyChart(answer, charts).filter(Boolean) : []));
}

function links(answer) {
  const placement = toSubFen(squares(answer.fen).map((square) => square || '.'));
  return [el('a', { href: format('analysis', { fen: state.fen === INITIAL ? '' : state.fen, play: state.line.join(','), ply: state.ply }) }, 'Analyse'),
    el('a', { href: format('statistics', position()) }, 'Statistics of these games'), el('a', { href: format('search', { sub: placement }) }, 'Search by this position'),
    ...saveLinks(position(), total(answer)), linkButton(() => lineLink(state.line.slice(0, state.ply), query({ fen: state.fen === INITIAL ? '' : state.fen, ...state.filters })))];
}

const nearestNames = () => filterSuggestions(state.filters, (filters) => address({ filters }));

const asked = () => askedOf(state);
const REST = 300; // milliseconds before the names of games are read in a page without a server
const hasOrders = () => state.fen === INITIAL && state.ply > 2;

/** Removes the contents of an earlier answer. */
function clear() {
  parts?.heading.replaceChildren(el('h1', {}, 'Position'));
  parts?.links.replaceChildren();
  return null;
}

/* Keeps the order of the moves in the address. The table has sorted its rows: nothing is shown again. */
function keepOrder(order) {
  state.order = order;
  history.replaceState(null, '', address({ offset: state.offset }));
}

/* Evaluates the moves of an answer by the engine, if it is on. */
function evaluate(answer, table) {
  parts.table = answer.moves.length > 0 ? { table, isWhite: answer.fen.split(' ')[1] !== 'b' } : null;
  parts.evals.set(parts.table && { fen: state.fen, play: state.line.slice(0, state.ply).join(','), ucis: answer.moves.map((move) => move.uci) });
}

function showEvals(values, depth) {
  if (parts.table) showEvaluations(parts.table.table, values, depth, parts.table.isWhite);
}

/** Adds to an error of the address the links to continue with. */
function withWayOn(error) {
  if (error.status !== 400 && error.status !== 404) throw error;
  const { length } = parts.known.moves;
  const legal = length > 0 && length < state.line.length ? [['Moves before the error', address({ line: state.line.slice(0, length), ply: length })]] : [];
  throw Object.assign(error, { message: `${error.message}.`, onward: [...legal, ['Initial position', '#/explore']] });
}

/* Adds the names of games to an answer without them, after a moment at this position. */
async function named(answer, full, signal) {
  if (!answer.topGames?.length && !answer.recentGames?.length) return answer;
  if (!isTreeKnown(full)) await new Promise((done) => { setTimeout(done, REST); });
  signal.throwIfAborted();
  return tree(full, signal);
}

function ask() {
  const { known } = parts;
  const { signal } = request;
  const [full, quick] = [asked(), quickTree(asked())];
  const answered = tree(quick, signal).catch(withWayOn);
  // The other parts show nothing without an answer: the error is shown once, in place of the moves.
  parts.shared = answered.catch((error) => { if (error.name === 'AbortError') throw error; return clear(); });
  parts.shared.catch(() => {});
  parts.named = quick.unnamed ? parts.shared.then(async (answer) => (answer ? named(answer, full, signal) : null)) : parts.shared;
  parts.named.catch(() => {});
  fillWhenThere(parts.tree, answered, (answer) => {
    showBoard(known, answer);
    parts.heading.replaceChildren(...heading(answer));
    const trail = parts.heading.querySelector('.trail');
    trail.scrollLeft = trail.scrollWidth;
    parts.links.replaceChildren(...links(answer));
    const shown = treeTable(answer, { href: after, point: pointAt, none: nearestNames, order: state.order, sorted: keepOrder });
    evaluate(answer, shown);
    return shown;
  }, load);
  showGames();
  showHistory();
  parts.orders.set(hasOrders() ? position() : null);
}

const rested = whenAtRest(ask);

/** Shows the position immediately, and requests its moves. While keys are pressed quickly, the request waits. */
function load() {
  request?.abort();
  parts.evals.set(null);
  request = new AbortController();
  const known = knownLine(state);
  parts.known = known;
  parts.line = lineOf(known);
  placeLine();
  showBoard(known, null);
  parts.tree.setAttribute('aria-busy', 'true');
  parts.orders.element.hidden = !hasOrders();
  parts.tablebase.set({ fen: state.fen, play: state.line.slice(0, state.ply).join(',') }, known.fens[state.ply]);
  if (isTreeKnown(quickTree(asked()))) { rested.stop(); ask(); } else rested.call();
}

/** Puts the line and the field for a FEN below the board, or below the moves if the window has little room. */
function placeLine() {
  showBelow(...(isCompact() ? [parts.line] : [parts.line, parts.fenField]));
}

/** Puts the moves before or after the filters, which stay where they are: one of their fields may be in use. */
function arrange() {
  const { filters, tree: moves, fenField } = parts;
  if (isCompact()) {
    filters.element.before(moves);
    filters.element.after(fenField);
  } else {
    filters.element.after(moves);
  }
  moves.after(parts.tablebase.element);
  placeLine();
}

previewFor('.explore .tree tbody tr[data-uci] th', (cell) => state && play(play(state.fen, state.line.slice(0, state.ply)).fens.at(-1), [cell.parentElement.dataset.uci]).fens[1]);

function build(target) {
  const filters = createFilters((values) => go(address({ filters: values })));
  const [form, input] = fenForm((fen) => go(address({ fen, line: [], ply: 0 })));
  const tabs = tabList('Games with this position', 'games', { top: 'Top games', recent: 'Latest games', all: 'All games' }, (tab) => replace(address({ tab })));
  parts = {
    filters, fenField: form, fen: input, heading: el('div', { class: 'heading' }, el('h1', {}, '\u00a0'), el('p', { class: 'summary' }, '\u00a0')), tree: el('div', { id: 'tree' }), tabs,
    examples: el('div', {}), found: createFound({ columns: ['opening', 'date'], href: address }), links: el('p', { class: 'links' }), shared: null, named: null,
    chart: el('div', {}), table: null, evals: createMoveEvals(showEvals), orders: createOrders((line) => address({ line, ply: line.length })), tablebase: createTablebase(after),
  };
  parts.all = el('div', {}, parts.found.head, parts.found.list, parts.found.foot);
  parts.games = el('div', { id: 'games', role: 'tabpanel', 'aria-label': 'Games' }, parts.examples, parts.all);
  parts.history = el('details', { class: 'history' }, el('summary', {}, 'Results over time'), parts.chart);
  parts.history.addEventListener('toggle', () => {
    if (parts && parts.history.open !== state.history) replace(address({ history: parts.history.open, offset: state.offset }));
  });
  target.append(parts.heading, filters.element, parts.tabs, parts.games, parts.orders.element, parts.history, parts.links);
  parts.line = el('p', {});
  arrange();
  parts.unwatch = watchCompact(arrange);
}

export const view = {
  title: 'Explore',
  show(item, params, target) {
    if (!parts) build(target);
    state = read(params);
    parts.filters.set(params);
    load();
  },
  hide() {
    rested.stop();
    request?.abort();
    parts?.found.stop();
    parts?.evals.stop();
    parts?.unwatch();
    parts = null;
  },
};
