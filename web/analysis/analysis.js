/* SPDX-License-Identifier: MIT */
// Analysis: moves of the user as a tree with comments, signs, arrows and circles. Analyses are stored in the browser.
//
// #/analysis/ID?play=e2e4,e7e5 is a stored analysis at a position; #/analysis/all is the list. Other addresses open an
// analysis and are replaced by its address (opening.js).

import { announce, byId, el, notice, shown } from '../base/dom.js';
import { format, replace } from '../base/address.js';
import { INITIAL, legalMoves, shiftOf } from '../base/rules.js';
import { alter, alternatives, asGame, branch, existing, nodesOn, onward, promote, removeLine } from '../study/move_tree.js';
import { plainComment } from '../study/pgn.js';
import { stored } from '../study/store.js';
import { openStudy } from '../study/study.js';
import { addLine } from '../study/entries.js';
import { problemsInWords } from '../study/pasted.js';
import { titleOf } from '../study/titles.js';
import { colorOf, createMarks, toggled } from './analysis_marks.js';
import { createCursor } from './mark_cursor.js';
import { editBar, MOVE_SIGNS, noteFields, pasteForm, replacedList, signBar, toggledSign } from './analysis_parts.js';
import { detailFields } from './details.js';
import { list, meant } from './opening.js';
import { entryList } from './entry_list.js';
import { library } from './library.js';
import { outputs } from './outputs.js';
import { listAddress, openText } from './paste.js';
import { hideColumn, orientation, showBelow, showPlayers, showPosition } from '../board/column.js';
import { keepInView } from '../base/follow.js';
import { message } from '../base/message.js';
import { isMark } from '../board/marks.js';
import { mark as markMove, notation } from '../viewer/notation.js';
import { moveNumber } from '../base/words.js';

const ALL = 'all'; // the id of the list

let parts = null;
let open = null; // the study
let path = [];
let places = []; // the moves on the page: {ply, variation} by path
let request = null;

const address = (to) => format('analysis', { play: to.join(',') }, open.entry.id);
const tree = () => open.state.tree;
const here = () => nodesOn(tree(), path).at(-1);

// ---- opening ----

async function openMeant(params, target) {
  request = new AbortController();
  try {
    const { entry, at } = await meant(params, request.signal);
    if (!parts) return; // another view is shown
    if (!entry) throw new Error('This is no PGN.');
    close(); // the entry may have changed
    replace(format('analysis', { play: at.join(',') }, entry.id));
    if (entry.problems?.length > 0) said(problemsInWords(entry.problems));
  } catch (error) {
    if (error.name !== 'AbortError') fail(target, error.message);
  }
}

function close() {
  open?.close();
  open = null;
}

function fail(target, reason) {
  close();
  hideColumn();
  target.replaceChildren(notice('error', reason), el('p', { class: 'links' }, el('a', { href: format('analysis', { new: 1 }) }, 'New analysis'), el('a', { href: listAddress() }, 'All analyses')));
}

function load(id, target) {
  close();
  open = openStudy(id, changedElsewhere);
  if (!open) fail(target, 'This analysis is not stored in this browser.');
  return open !== null;
}

/* Another tab has changed the analysis. The place stays, as far as it exists. */
function changedElsewhere() {
  const before = path.length;
  path = existing(tree(), path);
  draw();
  showHere();
  if (path.length < before) replace(address(path));
  announce(open.deleted ? 'Another tab has deleted this analysis' : 'Another tab has changed this analysis');
}

// ---- changing ----

/** Goes to a place after the tree was changed. */
function settle(to) {
  const there = existing(tree(), to);
  draw();
  if (there.join() === path.join()) showHere();
  else replace(address(there));
}

function change(next, to = path, how = {}) {
  if (next === tree()) return;
  open.change({ tree: next }, path, how);
  settle(to);
}

function travel(step, word) {
  const to = step(path);
  if (!to) return;
  settle(to);
  announce(word);
}

const undo = () => travel(open.undo, 'Undone');
const redo = () => travel(open.redo, 'Redone');
const edit = (fields, how = {}) => change(alter(tree(), path, (node) => ({ ...node, ...fields })), path, how);
const comment = (text) => edit({ comment: text }, { kind: `comment ${path}`, timed: `comment ${path}` });

/** Plays moves after a path, as one change. Moves that are there are not added. */
function playLine(ucis, from = path) {
  const [before, to] = [tree(), addLine(open, from, ucis, path)];
  if (tree() !== before) settle(to);
  else if (to.join() !== path.join()) replace(address(to));
}

function setTag(name, value) {
  const { [name]: old = '', ...tags } = open.state.tags;
  if (value === old) return;
  open.change({ tags: value ? { ...open.state.tags, [name]: value } : tags }, path);
  settle(path);
}

function setResult(result) {
  open.change({ result }, path);
  settle(path);
}

function removeHere() {
  if (path.length === 0) return;
  announce(`Deleted from ${here().san}; Undo restores the moves`);
  change(removeLine(tree(), path), path.slice(0, -1));
}

function promoteHere() {
  if (branch(tree(), path) === 0) return;
  announce('The line is now the main line of its place');
  change(promote(tree(), path), path, { timed: `order ${path.slice(0, branch(tree(), path) - 1)}` });
}

const toggleSign = (sign) => path.length > 0 && edit({ nags: toggledSign(here().nags, sign) });
const drawMark = (mark) => edit({ marks: toggled(here().marks, mark) });
const drawByKeys = (from, to, event) => drawMark((parts.color || colorOf(event)) + from + (to === from ? '' : to));

function typeComment(text) {
  if (plainComment(text) !== here().comment) comment(plainComment(text));
}

function typeMarks(input) {
  const words = input.value.split(/[\s,]+/).filter(Boolean).map((word) => (/^[a-h]/.test(word) ? `G${word}` : word));
  const wrong = words.find((word) => !isMark(word));
  input.setCustomValidity(wrong ? `${wrong} is no arrow or circle; as in Ge2e4, Re5` : '');
  input.reportValidity();
  if (!wrong) edit({ marks: [...new Set(words)] });
}

// ---- showing ----

const nameOf = (node) => (path.length > 0 ? `${moveNumber(path.length + shiftOf(tree().fen))} ${node.san}` : 'the start');

function showBoard(node) {
  const line = onward(tree(), path);
  const last = path.at(-1);
  showPosition(node.fen, { ply: path.length, length: line.length, step: (ply) => replace(address(line.slice(0, ply))), play: (move) => playLine([move.uci]),
    start: tree().fen, ucis: path, playLine, playStart: tree().fen === INITIAL ? (ucis) => playLine(ucis, []) : null },
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
  parts.replaced.replaceChildren(...replacedList(open.replaced.filter((one) => one.path === path.join()), useReplaced, dismiss));
}

function useReplaced(one) {
  comment(one.text);
  dismiss(one);
}

function dismiss(one) {
  open.dismiss(one);
  showNotes(here());
}

function showHere() {
  const node = here();
  const { buttons } = parts.bar;
  showBoard(node);
  showNotes(node);
  buttons.undo.disabled = !open.canUndo();
  buttons.redo.disabled = !open.canRedo();
  buttons.remove.disabled = path.length === 0;
  buttons.promote.disabled = branch(tree(), path) === 0;
  parts.explore.href = format('explore', { fen: tree().fen === INITIAL ? '' : tree().fen, play: path.join(',') });
  parts.train.href = format('training', { analysis: open.entry.id });
  const place = places.get(path.join());
  keepInView(parts.moves, markMove(parts.moves, place?.ply ?? 0, place?.variation ?? null));
}

const NOT_KEPT = 'The browser does not store this analysis, because its storage is full or disabled: save the PGN before you leave';

function keptInWords() {
  if (open.deleted) return 'Deleted. The next change restores this analysis.';
  if (!open.kept) return NOT_KEPT;
  return ['Stored in this browser', open.state.tags.StudyName && `folder ${open.state.tags.StudyName}`].filter(Boolean).join(' · ');
}

function draw() {
  const { game, paths } = asGame(tree(), open.state.result);
  places = new Map();
  const note = (ply, variation) => { const to = paths(ply, variation); places.set(to.join(), { ply, variation }); return address(to); };
  parts.moves.replaceChildren(tree().children.length > 0 || tree().comment ? notation(game, { shift: shiftOf(tree().fen), href: note })
    : el('p', { class: 'hint' }, 'Play moves on the board or type them. Moves that differ become variations.'));
  parts.title.textContent = titleOf(open.state);
  document.title = shown(`${titleOf(open.state)} – Stamma`);
  parts.kept.textContent = shown(keptInWords());
  parts.details.show(open.state);
}

function said(text) {
  if (parts?.said) parts.said.textContent = text;
  announce(text);
}

/** Opens the text of the form. Returns a message if it cannot be opened. */
function paste(text) {
  const { error, said: note } = openText(text);
  if (note) message(note);
  return error ?? null;
}

const folders = () => [...new Set(stored().map((entry) => entry.folder).filter(Boolean))].sort();

function others() {
  const box = el('div', {});
  const fill = () => box.replaceChildren(entryList(stored().filter((entry) => entry.id !== open.entry.id)));
  const details = el('details', { class: 'others' }, el('summary', {}, 'Other analyses'), box);
  details.addEventListener('toggle', () => { if (details.open) fill(); });
  return details;
}

function build(target) {
  parts.marks?.drawWith('');
  const drawWith = (letter) => { parts.color = letter; parts.marks?.drawWith(letter); };
  parts = { target, title: el('h1', {}), kept: el('p', { class: 'summary' }), moves: el('div', { class: 'moves' }), said: el('p', { class: 'hint said' }), bar: editBar({ undo, redo, promote: promoteHere, remove: removeHere }),
    signs: signBar(toggleSign), notes: noteFields({ comment: typeComment, marks: typeMarks, color: drawWith, keys: parts.cursor && (() => parts.cursor.start()) }), replaced: el('div', { class: 'replaced' }),
    details: detailFields({ folders, setTag, setResult }), train: el('a', { class: 'button train', href: '#/training' }, 'Train'), explore: el('a', { class: 'button', href: '#/explore' }, 'Explore this position'), marks: parts.marks, cursor: parts.cursor, color: '' };
  const links = [parts.explore, parts.train, el('a', { class: 'button', href: format('analysis', { new: 1 }) }, 'New analysis'), el('a', { class: 'button', href: listAddress() }, 'All analyses')];
  target.replaceChildren(el('div', { class: 'heading' }, parts.title, parts.kept), parts.bar.element, parts.moves, parts.signs.element, parts.notes.element, parts.replaced,
    outputs(() => ({ state: open.state, path, node: here() }), said), parts.said, el('p', { class: 'links' }, ...links), parts.details.element, pasteForm(paste), others());
}

// ---- keys ----

function beside(step) {
  const all = alternatives(tree(), path).map((one) => one.join());
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

function drawingParts() {
  const board = byId('board').querySelector('[data-square]') && byId('board');
  return { marks: board && createMarks(board, drawMark), cursor: board && createCursor(board, { turned: () => orientation() === 'b', fen: () => here().fen, mark: drawByKeys }) };
}

function showAll(params, target) {
  close();
  hideColumn();
  library(params, target);
}

export const view = {
  title: 'Analysis',
  key,
  show(item, params, target) {
    parts ??= drawingParts();
    request?.abort();
    if (item === '') { openMeant(params, target); return; }
    if (item === ALL) { showAll(params, target); return; }
    const same = open?.entry.id === item;
    if (!same && !load(item, target)) return;
    if (!same) build(target);
    path = existing(tree(), list(params.play));
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
    parts?.marks?.close();
    parts?.cursor?.close();
    parts = null;
    close();
  },
};
