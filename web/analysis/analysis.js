/* SPDX-License-Identifier: MIT */
// Analysis: moves of the user as a tree with comments, signs, arrows and circles. Analyses are stored in the browser.
//
// #/analysis/ID?play=e2e4,e7e5 is a stored analysis at a position. Other addresses open one and are replaced by it:
// #/analysis (the last), ?fen=...&play=...&ply=... (from the explorer), ?game=ID&archive=...&play=..., ?pgn=... (a link).

import { announce, byId, el, notice, shown } from '../base/dom.js';
import { format, replace } from '../base/address.js';
import { file, gameText } from '../base/api.js';
import { INITIAL, isPlacement, legalMoves, play, playOne, shiftOf } from '../base/rules.js';
import { addMove, alter, alternatives, asGame, branch, existing, nodesOn, onward, plant, promote, removeLine } from './analysis_tree.js';
import { fromPgn, plainComment, toPgn } from './analysis_pgn.js';
import { forget, newId, store, stored, storedAs } from './analysis_store.js';
import { createHistory } from './analysis_history.js';
import { colorOf, createMarks, toggled } from './analysis_marks.js';
import { createCursor } from './mark_cursor.js';
import { editBar, entryList, MOVE_SIGNS, noteFields, pasteForm, signBar, toggledSign } from './analysis_parts.js';
import { copyButtons } from '../base/copy.js';
import { hideColumn, orientation, showBelow, showPlayers, showPosition } from '../board/column.js';
import { keepInView } from '../base/follow.js';
import { isMark } from '../board/marks.js';
import { mark as markMove, notation } from '../viewer/notation.js';
import { moveNumber } from '../base/words.js';

const LINK = 2000; // largest length of a link that programs keep

let parts = null;
let open = null; // {entry, tags, tree, result, history, kept}
let path = [];
let places = []; // the moves on the page: {ply, variation} by path
let request = null;

const address = (to) => format('analysis', { play: to.join(',') }, open.entry.id);
const here = () => nodesOn(open.tree, path).at(-1);

// ---- opening ----

function titleOf({ tags, tree }) {
  const names = [tags.White, tags.Black].map((name) => (name && name !== '?' ? name : null));
  if (names[0] || names[1]) return `${names[0] ?? '?'} – ${names[1] ?? '?'}`;
  const line = nodesOn(tree, onward(tree, [])).slice(1, 7);
  const shift = shiftOf(tree.fen);
  const moves = line.map((node, i) => ((i + shift) % 2 === 0 || i === 0 ? `${moveNumber(i + 1 + shift)} ${node.san}` : node.san));
  if (moves.length > 0) return moves.join(' ');
  return tree.fen === INITIAL ? 'New analysis' : 'Position';
}

/** Stores a new analysis. Deletes analyses without edits if they have no moves, or are not among the last ten. */
function enter(game, source) {
  const idle = stored().filter((entry) => !entry.edited);
  [...idle.filter((entry) => !entry.source), ...idle.filter((entry) => entry.source).slice(9)].forEach((entry) => forget(entry.id));
  const entry = { id: newId(), pgn: toPgn(game), title: titleOf(game), start: game.tree.fen, source, edited: false, changed: Date.now() };
  store(entry);
  return entry;
}

/** Returns the entry made from a PGN; null if the text is no PGN. */
function entryOf(text) {
  const known = stored().find((entry) => entry.source === text);
  const game = known ? null : fromPgn(text);
  return known ?? (game && { ...enter(game, text), problems: game.problems });
}

const blank = (fen) => ({ tags: { Event: 'Analysis', Date: new Date().toISOString().slice(0, 10).replace(/-/g, '.') }, tree: plant(fen), result: '*' });

/** Adds a line from the explorer to the last analysis that starts in the same position, or to a new one. */
function withLine(fen, line) {
  const start = fen || INITIAL;
  const own = stored().filter((entry) => !entry.source).find((entry) => entry.start === start);
  const game = own ? fromPgn(own.pgn) : blank(start);
  let at = [];
  for (const uci of play(start, line).moves.map((move) => move.uci)) {
    const node = nodesOn(game.tree, at).at(-1);
    game.tree = addMove(game.tree, at, playOne(node.fen, uci));
    at = [...at, uci];
  }
  const entry = { ...(own ?? enter(game, '')), pgn: toPgn(game), title: titleOf(game), edited: own?.edited || line.length > 0, changed: Date.now() };
  store(entry);
  return { entry, at };
}

const isFen = (text) => isPlacement(text) && legalMoves(text).length > 0;
const list = (text) => (text ?? '').split(',').filter(Boolean);

/** Returns the entry for an address without an id, and the path to show. */
async function meant(params) {
  const line = list(params.play);
  if (params.game) {
    request = new AbortController();
    const text = await gameText(params.game, { archive: params.archive }, request.signal);
    return { entry: entryOf(text), at: line };
  }
  if (params.pgn) return { entry: entryOf(params.pgn), at: line };
  if (params.fen || params.play) {
    const { entry, at } = withLine(params.fen, line);
    return { entry, at: at.slice(0, params.ply === undefined ? at.length : Number(params.ply) || 0) };
  }
  return { entry: (params.new ? null : stored()[0]) ?? enter(blank(INITIAL), ''), at: [] };
}

async function openMeant(params, target) {
  try {
    const { entry, at } = await meant(params);
    if (!parts) return; // another view is shown
    if (!entry) throw new Error('This is no PGN.');
    open = null; // the entry may have changed
    replace(format('analysis', { play: at.join(',') }, entry.id));
    sayProblems(entry);
  } catch (error) {
    if (error.name !== 'AbortError') fail(target, error.message);
  }
}

function fail(target, message) {
  open = null;
  hideColumn();
  target.replaceChildren(notice('error', message), el('p', { class: 'links' }, el('a', { href: format('analysis', { new: 1 }) }, 'New analysis')));
}

function load(id, target) {
  const entry = storedAs(id);
  const game = entry && fromPgn(entry.pgn);
  if (!game) {
    fail(target, 'This analysis is not stored in this browser.');
    return false;
  }
  open = { entry, tags: game.tags, tree: game.tree, result: game.result, history: createHistory(), kept: true };
  return true;
}

// ---- changing ----

const snapshot = () => ({ tree: open.tree, path });

function save() {
  open.entry = { ...open.entry, pgn: toPgn(open), title: titleOf(open), edited: true, changed: Date.now() };
  open.kept = store(open.entry);
}

/** Goes to a place after the tree was replaced. */
function settle(to) {
  save();
  draw();
  if (to.join() === path.join()) showHere();
  else replace(address(to));
}

function change(tree, to = path, kind = '') {
  if (tree === open.tree) return;
  open.history.push(snapshot(), kind);
  open.tree = tree;
  settle(to);
}

function travel(step, word) {
  const state = step(snapshot());
  if (!state) return;
  open.tree = state.tree;
  settle(state.path);
  announce(word);
}

const undo = () => travel(open.history.undo, 'Undone');
const redo = () => travel(open.history.redo, 'Redone');
const edit = (fields, kind = '') => change(alter(open.tree, path, (node) => ({ ...node, ...fields })), path, kind);

/** Plays moves after the path, as one change. Moves that are there are not added. */
function playLine(ucis) {
  let [tree, to] = [open.tree, path];
  for (const uci of ucis) {
    const next = playOne(nodesOn(tree, to).at(-1).fen, uci);
    if (!next) break;
    tree = addMove(tree, to, next);
    to = [...to, next.uci];
  }
  if (to.length === path.length) return;
  if (nodesOn(open.tree, to).length > to.length) replace(address(to));
  else change(tree, to);
}

function removeHere() {
  if (path.length === 0) return;
  announce(`Deleted from ${here().san}; Undo restores the moves`);
  change(removeLine(open.tree, path), path.slice(0, -1));
}

function promoteHere() {
  if (branch(open.tree, path) === 0) return;
  announce('The line is now the main line of its place');
  change(promote(open.tree, path));
}

const toggleSign = (sign) => path.length > 0 && edit({ nags: toggledSign(here().nags, sign) });
const drawMark = (mark) => edit({ marks: toggled(here().marks, mark) });
const drawByKeys = (from, to, event) => drawMark((parts.color || colorOf(event)) + from + (to === from ? '' : to));

function typeComment(text) {
  if (plainComment(text) !== here().comment) edit({ comment: plainComment(text) }, `comment ${path}`);
}

function typeMarks(input) {
  const words = input.value.split(/[\s,]+/).filter(Boolean).map((word) => (/^[a-h]/.test(word) ? `G${word}` : word));
  const wrong = words.find((word) => !isMark(word));
  input.setCustomValidity(wrong ? `${wrong} is no arrow or circle; as in Ge2e4, Re5` : '');
  input.reportValidity();
  if (!wrong) edit({ marks: [...new Set(words)] });
}

// ---- showing ----

const nameOf = (node) => (path.length > 0 ? `${moveNumber(path.length + shiftOf(open.tree.fen))} ${node.san}` : 'the start');

function showBoard(node) {
  const line = onward(open.tree, path);
  const last = path.at(-1);
  showPosition(node.fen, { ply: path.length, length: line.length, step: (ply) => replace(address(line.slice(0, ply))), play: (move) => playLine([move.uci]),
    start: open.tree.fen, ucis: path, playLine },
    { moves: legalMoves(node.fen), last: last && last !== '0000' ? { from: last.slice(0, 2), to: last.slice(2, 4) } : null });
  parts.marks?.show(node.marks);
}

function showNotes(node) {
  const what = path.length > 0 ? `Comment on ${nameOf(node)}` : 'Comment before the first move';
  parts.notes.text.placeholder = what;
  parts.notes.text.setAttribute('aria-label', what);
  if (parts.notes.text !== document.activeElement || plainComment(parts.notes.text.value) !== node.comment) parts.notes.text.value = node.comment;
  parts.notes.list.value = node.marks.join(' ');
  parts.notes.list.setCustomValidity('');
  parts.signs.show(node.nags, path.length > 0);
}

function showHere() {
  const node = here();
  const { buttons } = parts.bar;
  showBoard(node);
  showNotes(node);
  buttons.undo.disabled = !open.history.canUndo();
  buttons.redo.disabled = !open.history.canRedo();
  buttons.remove.disabled = path.length === 0;
  buttons.promote.disabled = branch(open.tree, path) === 0;
  parts.explore.href = format('explore', { fen: open.tree.fen === INITIAL ? '' : open.tree.fen, play: path.join(',') });
  const place = places.get(path.join());
  keepInView(parts.moves, markMove(parts.moves, place?.ply ?? 0, place?.variation ?? null));
}

function draw() {
  const { game, paths } = asGame(open.tree, open.result);
  places = new Map();
  const note = (ply, variation) => { const to = paths(ply, variation); places.set(to.join(), { ply, variation }); return address(to); };
  parts.moves.replaceChildren(open.tree.children.length > 0 || open.tree.comment ? notation(game, { shift: shiftOf(open.tree.fen), href: note })
    : el('p', { class: 'hint' }, 'Play moves on the board or type them. Moves that differ become variations.'));
  parts.title.textContent = titleOf(open);
  document.title = shown(`${titleOf(open)} – Stamma`);
  parts.kept.textContent = open.kept ? 'Stored in this browser' : 'The browser stores nothing: save the PGN before you leave';
}

function said(message) {
  parts.said.textContent = message;
  announce(message);
}

function sayProblems({ problems = [] }) {
  if (problems.length > 0) said(`Lines end where moves are not legal: ${problems.slice(0, 5).join(', ')}`);
}

function link() {
  const text = location.href.replace(/#.*/s, '') + format('analysis', { pgn: toPgn(open).replace(/\n/g, ' ').trim(), play: path.join(',') });
  if (text.length <= LINK) return text;
  said(`A link would have ${text.length} characters, more than many programs keep. Save the PGN instead.`);
  return null;
}

function pictureAddress() {
  const { fen, marks } = here();
  const of = (length) => marks.filter((mark) => mark.length === length).join(',');
  return file('board.svg', { fen, arrows: of(5), circles: of(3), last: path.at(-1) === '0000' ? '' : path.at(-1)?.slice(0, 4), flip: orientation() === 'b' ? 1 : '' });
}

function outputs() {
  const picture = el('a', { class: 'button', href: '#', download: 'position.svg', onclick: (event) => { event.currentTarget.href = pictureAddress(); } }, 'Save picture');
  const save = el('a', { class: 'button', href: '#', download: 'analysis.pgn', onclick: (event) => {
    event.currentTarget.href = URL.createObjectURL(new Blob([toPgn(open)], { type: 'application/x-chess-pgn' }));
  } }, 'Save PGN');
  const copies = copyButtons({ FEN: () => here().fen, PGN: () => toPgn(open), link }, said);
  return el('div', { class: 'outputs', role: 'group', 'aria-label': 'Copy and save' }, ...copies, picture, save);
}

/** Opens pasted text. Returns a message if it is neither a FEN nor a PGN. */
function paste(text) {
  const plain = text.trim();
  if (isFen(plain)) {
    replace(format('analysis', {}, enter(blank(plain), '').id));
    return null;
  }
  const entry = plain ? entryOf(text) : null;
  if (!entry) return 'This is neither a PGN nor the FEN of a legal position.';
  replace(format('analysis', {}, entry.id));
  sayProblems(entry);
  return null;
}

function others() {
  const box = el('div', {});
  const fill = () => box.replaceChildren(entryList(stored().filter((entry) => entry.id !== open.entry.id), (entry) => forget(entry.id), store));
  const details = el('details', { class: 'others' }, el('summary', {}, 'Other analyses'), box);
  details.addEventListener('toggle', () => { if (details.open) fill(); });
  return details;
}

function build(target) {
  parts.marks?.drawWith('');
  parts = { target, title: el('h1', {}), kept: el('p', { class: 'summary' }), moves: el('div', { class: 'moves' }), said: el('p', { class: 'hint said' }), bar: editBar({ undo, redo, promote: promoteHere, remove: removeHere }),
    signs: signBar(toggleSign), notes: noteFields({ comment: typeComment, marks: typeMarks, color: (letter) => { parts.color = letter; parts.marks?.drawWith(letter); }, keys: parts.cursor && (() => parts.cursor.start()) }),
    explore: el('a', { class: 'button', href: '#/explore' }, 'Explore this position'), marks: parts.marks, cursor: parts.cursor, color: '' };
  const fresh = el('a', { class: 'button', href: format('analysis', { new: 1 }) }, 'New analysis');
  target.replaceChildren(el('div', { class: 'heading' }, parts.title, parts.kept), parts.bar.element, parts.moves, parts.signs.element, parts.notes.element, outputs(), parts.said,
    el('p', { class: 'links' }, parts.explore, fresh), pasteForm(paste), others());
}

// ---- keys ----

function beside(step) {
  const all = alternatives(open.tree, path).map((one) => one.join());
  const to = all[(all.indexOf(path.join()) + step + all.length) % all.length];
  if (all.length < 2) return false;
  replace(address(to.split(',')));
  return true;
}

const field = (name) => () => { parts.notes[name].focus(); return true; };
const keys = { d: () => { if (!parts.cursor) return false; parts.cursor.start(); return true; }, Delete: removeHere, Backspace: removeHere, p: promoteHere, c: field('text'), a: field('list'), ArrowUp: () => beside(-1), ArrowDown: () => beside(1) };

/** Handles a key of this view. */
function key(event) {
  if (!open) return false;
  const letter = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (letter === 'z') (event.shiftKey ? redo : undo)();
    else if (letter === 'y') redo();
    else return false;
    return true;
  }
  if (MOVE_SIGNS.includes(Number(event.key))) toggleSign(Number(event.key));
  else if (!Object.hasOwn(keys, event.key)) return false;
  else return keys[event.key]() !== false;
  return true;
}

function pasted(event) {
  if (event.target.closest?.('input, textarea')) return;
  const message = paste(event.clipboardData.getData('text'));
  if (message) said(message);
}

export const view = {
  title: 'Analysis',
  key,
  show(item, params, target) {
    if (!parts) {
      const board = byId('board').querySelector('[data-square]') && byId('board');
      parts = { marks: board && createMarks(board, drawMark), cursor: board && createCursor(board, { turned: () => orientation() === 'b', fen: () => here().fen, mark: drawByKeys }) };
      document.addEventListener('paste', pasted);
    }
    request?.abort();
    if (item === '') {
      openMeant(params, target);
      return;
    }
    const same = open?.entry.id === item;
    if (!same && !load(item, target)) return;
    if (!same) build(target);
    path = existing(open.tree, list(params.play));
    parts.said.textContent = '';
    if (!same) {
      showBelow();
      showPlayers(null, null);
      draw();
    }
    showHere();
    announce(path.length > 0 ? nameOf(here()) : 'The start');
  },
  hide() {
    request?.abort();
    document.removeEventListener('paste', pasted);
    parts?.marks?.close();
    parts?.cursor?.close();
    parts = null;
    open = null;
  },
};
