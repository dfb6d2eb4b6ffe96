/* SPDX-License-Identifier: MIT */
// Encodings: the codes of a move or a position, with their fields; sizes along a game; board representations. Parameters of
// its address: fen (the start of the line), play (its moves in UCI), ply (the position shown; default: the end of the line),
// tab (move, position, game or boards), code (the encoding that is open; all), board and square (of a representation).

import { announce, el, fillWhenThere, notice } from '../base/dom.js';
import { format, go, replace } from '../base/address.js';
import { encode, encodings, encodeSizes } from '../base/api.js';
import { INITIAL, isPlacement, legalMoves, shiftOf } from '../base/rules.js';
import { whenAtRest } from '../base/rest.js';
import { moveNumber, several } from '../base/words.js';
import { EMPTY, showBelow, showPosition } from '../board/column.js';
import { fenForm, knownLine, lineList } from '../board/line_view.js';
import { lineParams, readLine } from '../base/line.js';
import { showTab, tabList } from '../base/tabs.js';
import { boardsPanel } from './boards_panel.js';
import { codeList } from './code_list.js';
import { sizesPanel } from './sizes_panel.js';
import { startPanel } from './start_panel.js';

const TABS = { move: 'Move', position: 'Position', game: 'Sizes', boards: 'Boards' };

let parts = null;
let state = null;
let request = null;
const opened = new Set(); // names of the codes that are open

function read(params) {
  const line = readLine(params);
  const tab = Object.hasOwn(TABS, params.tab ?? '') ? params.tab : line.ply > 0 ? 'move' : 'position';
  return { ...line, tab, named: params.tab, code: params.code ?? '', board: params.board, square: params.square };
}

function address(change) {
  const { named, code, board, square, ...line } = { ...state, ...change };
  return format('encodings', { ...lineParams(line), tab: named, code, board, square });
}

const played = () => state.line.slice(0, state.ply);
const lineHref = (fen, line, named = null) => address({ fen, line, ply: line.length, named, square: null });
const openLine = (fen, line) => go(lineHref(fen, line, state.named === 'boards' || state.named === 'game' ? state.named : null));

/** Returns the address after a move. If the line continues with that move, the line is kept; otherwise it is cut here. */
function after(uci, ply = state.ply) {
  const line = state.line[ply] === uci ? state.line : [...state.line.slice(0, ply), uci];
  return address({ line, ply: ply + 1, named: state.named === 'position' ? null : state.named, square: null });
}

// ---- the board ----

function lineOf(known) {
  const href = (ply) => address({ ply, named: state.named === 'position' ? null : state.named });
  return lineList(state, known, href, 'Play a move to see its codes: drag or click a piece, or type the move.');
}

/** Shows the position, first with the legal moves of the rules, and then with those of the answer. */
function showBoard(known, answer) {
  const fen = answer?.fen ?? known.fens[state.ply];
  if (!fen) return;
  const moves = answer ? answer.moves.map(({ uci, san }) => ({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4], uci, san })) : legalMoves(fen);
  const last = state.line[state.ply - 1];
  showPosition(isPlacement(fen) ? fen : EMPTY, {
    ply: state.ply, length: state.line.length, step: (ply) => replace(address({ ply })), play: (move) => go(after(move.uci)),
    start: state.fen, ucis: played(), playLine: (ucis) => go(address({ line: [...played(), ...ucis], ply: state.ply + ucis.length })),
  }, { moves, last: last && { from: last.slice(0, 2), to: last.slice(2, 4) } });
  parts.fen.value = fen;
  parts.shown = fen;
}

// ---- the codes ----

/** Remembers in the address which code is open. The codes are not drawn again. */
function toggled(name, open) {
  if (open === opened.has(name)) return;
  if (open && state.code === 'all') { opened.add(name); return; }
  if (open) opened.add(name); else opened.delete(name);
  state.code = open ? name : [...opened].at(-1) ?? '';
  history.replaceState(null, '', address({}));
  parts.all.textContent = opened.size > 0 ? 'Close all' : 'Explain all';
}

function toggleAll() {
  const boxes = [...parts.panel.querySelectorAll('.code')];
  const open = opened.size === 0;
  for (const box of boxes) box.open = open;
  boxes.forEach((box) => (open ? opened.add(box.dataset.code) : opened.clear()));
  state.code = open ? 'all' : '';
  history.replaceState(null, '', address({}));
  parts.all.textContent = open ? 'Close all' : 'Explain all';
}

const codeOptions = () => ({
  isOpen: (name) => state.code === 'all' || opened.has(name),
  toggled,
  decodeAt: ({ of }) => (of === 'game' ? { fen: state.fen } : { fen: state.fen, play: state.line.slice(0, state.tab === 'move' ? state.ply - 1 : state.ply).join(',') }),
  moveHref: (uci) => after(uci, state.ply - 1),
  gameHref: (ucis) => lineHref(state.fen, ucis),
  positionHref: (fen) => lineHref(fen, [], 'position'),
});

function headOfMove(answer) {
  announce(`${answer.san}: codes`);
  return [el('h1', {}, `${moveNumber(state.ply + shiftOf(state.fen))} ${answer.san}`), el('p', { class: 'summary' }, `${answer.uci}, one of ${several(answer.legal_moves, 'legal move')}`)];
}

function headOfPosition(answer = null) {
  const turn = ((answer?.fen ?? parts.shown ?? '').split(' ')[1] === 'b') ? 'Black' : 'White';
  return [el('h1', {}, state.ply === 0 && state.fen === INITIAL ? 'Initial position' : 'Position'), el('p', { class: 'summary' }, answer ? `${turn} to move, ${several(answer.moves.length, 'legal move')}` : `${turn} to move`)];
}

const wanted = () => ({ fen: state.fen === INITIAL ? '' : state.fen, play: played().join(',') });
const both = (params) => Promise.all([encodings(request.signal), encode(params, request.signal)]);

/** Shows the opened code of an address that was followed, once. */
function scrollToCode() {
  if (parts.scrolled) return;
  parts.scrolled = true;
  if (state.code && state.code !== 'all') setTimeout(() => parts?.panel.querySelector(`[data-code="${CSS.escape(state.code)}"]`)?.scrollIntoView({ block: 'nearest' }));
}

function showCodes(of) {
  fillWhenThere(parts.panel, both(of === 'move' ? wanted() : { ...wanted(), of: 'position' }), ([infos, answer]) => {
    showBoard(parts.known, answer);
    parts.head.replaceChildren(...(of === 'move' ? headOfMove(answer) : headOfPosition(answer)));
    scrollToCode();
    return codeList(infos, answer, codeOptions());
  }, load);
}

function showSizes() {
  const asked = Promise.all([encodings(request.signal), encodeSizes({ fen: state.fen === INITIAL ? '' : state.fen, play: state.line.join(',') }, request.signal)]);
  fillWhenThere(parts.panel, parts.sizes?.key === JSON.stringify([state.fen, state.line]) ? parts.sizes.answer : asked, ([infos, answer]) => {
    parts.sizes = { key: JSON.stringify([state.fen, state.line]), answer: Promise.resolve([infos, answer]) };
    return sizesPanel(answer, { ply: state.ply, shift: shiftOf(state.fen), sans: parts.known.moves.map((move) => move.san), code: state.code,
      infos: new Map(infos.map((info) => [info.encoding, info])), href: (name) => address({ code: name }) });
  }, load);
}

function showBoards() {
  const focused = parts.panel.contains(document.activeElement) ? document.activeElement : null;
  const again = focused?.matches('select') ? 'select' : focused?.dataset.square ? `[data-square="${focused.dataset.square}"]` : null;
  parts.panel.replaceChildren(...boardsPanel({ fen: parts.shown ?? EMPTY, board: state.board, square: state.square, choose: (chosen) => replace(address(chosen)) }));
  parts.panel.removeAttribute('aria-busy');
  if (again) parts.panel.querySelector(again)?.focus({ preventScroll: true });
}

const PANELS = {
  move: () => {
    if (state.ply > 0) { showCodes('move'); return; }
    parts.panel.removeAttribute('aria-busy');
    parts.panel.replaceChildren(notice('empty', 'Play a move to see its codes: drag or click a piece, type the move, or choose an example.'));
    parts.head.replaceChildren(...headOfPosition());
  },
  position: () => showCodes('position'),
  game: () => {
    parts.head.replaceChildren(el('h1', {}, 'Sizes in a game'), el('p', { class: 'summary' }, 'Bits of each code along the line. Step through it to see them add up.'));
    if (state.line.length > 0) { showSizes(); return; }
    parts.panel.removeAttribute('aria-busy');
    parts.panel.replaceChildren(notice('empty', 'Play moves, paste a game, or choose an example.'));
  },
  boards: () => {
    parts.head.replaceChildren(el('h1', {}, 'Boards'), el('p', { class: 'summary' }, 'How programs store this position, and which squares they visit for a piece.'));
    showBoards();
  },
};

// ---- the view ----

const rested = whenAtRest(() => PANELS[state.tab]());

function showTabs() {
  showTab(parts.tabs, state.tab);
  const codes = state.tab === 'position' || (state.tab === 'move' && state.ply > 0);
  parts.tools.hidden = !codes;
  parts.all.textContent = opened.size > 0 || state.code === 'all' ? 'Close all' : 'Explain all';
}

function load() {
  request?.abort();
  request = new AbortController();
  parts.known = knownLine(state);
  parts.shown = parts.known.fens[state.ply];
  const line = lineOf(parts.known);
  if (parts.line) parts.line.replaceWith(line); else showBelow(line, parts.fenField); // the field keeps the focus
  parts.line = line;
  showBoard(parts.known, null);
  showTabs();
  if (state.tab === 'boards') { rested.stop(); PANELS.boards(); } else { parts.panel.setAttribute('aria-busy', 'true'); rested.call(); }
}

function build(target) {
  const [form, input] = fenForm((fen) => openLine(fen, []));
  const tabs = tabList('What is shown', 'codes', TABS, (tab) => replace(address({ named: tab })));
  parts = { fenField: form, fen: input, head: el('div', { class: 'heading' }, el('h1', {}, '\u00a0'), el('p', { class: 'summary' }, '\u00a0')), tabs,
    panel: el('div', { id: 'codes', role: 'tabpanel', 'aria-label': 'Codes' }), all: el('button', { type: 'button', class: 'quiet', onclick: toggleAll }, 'Explain all'),
    starts: startPanel({ href: (fen, line) => lineHref(fen, line), open: openLine, current: () => parts.shown ?? INITIAL }), line: null, known: null, shown: null, sizes: null, scrolled: false };
  parts.tools = el('div', { class: 'code-tools' }, el('p', { class: 'hint' }, 'Open a code to see its fields, its source, and to decode other values.'), parts.all);
  target.append(parts.head, parts.starts, parts.tabs, parts.tools, parts.panel);
}

export const view = {
  title: 'Encodings',
  show(item, params, target) {
    if (!parts) build(target);
    state = read(params);
    if (state.code && state.code !== 'all' && state.tab !== 'game') opened.add(state.code);
    load();
  },
  hide() {
    rested.stop();
    request?.abort();
    opened.clear();
    parts = null;
  },
};
