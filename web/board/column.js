/* SPDX-License-Identifier: MIT */
// The column with the board: the position, the buttons and keys that step through a line, the wheel, and the field for
// typed moves. One view that shows a line (explorer, game) uses the column at a time.

import { announce, byId, el } from '../base/dom.js';
import { readMove } from '../base/rules.js';

/** A board without pieces, shown if there is no valid FEN. */
export const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';
const IDLE = { ply: 0, length: 0, step() {}, play() {} };
const TURNED = 'turned'; // the key in the browser's storage for this tab
const WHEEL_PAUSE = 60; // milliseconds: a touch pad sends many events for one gesture

/* Keeps the position and the side until there is a board. */
const COMING = { kept: [EMPTY, {}], side: 'w', show(...position) { this.kept = position; }, point() {}, hint() {}, threat() {}, turn(side) { this.side = side; }, orientation() { return this.side; } };

let board = COMING;
let bound = IDLE;
let position = EMPTY;
let moves = [];
let watcher = () => {};

function step(ply) {
  const to = Math.max(0, Math.min(bound.length, ply));
  if (to !== bound.ply) bound.step(to);
}

const steps = {
  first: () => step(0), back: () => step(bound.ply - 1), forward: () => step(bound.ply + 1), last: () => step(bound.length),
};
const keys = { ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last };

/** Shows whether Black is below, and remembers it until the tab is closed. */
function setTurned(turned) {
  board.turn(turned ? 'b' : 'w');
  byId('board-column').classList.toggle('turned', turned);
  try { sessionStorage.setItem(TURNED, turned ? '1' : ''); } catch { /* no storage: until the page is loaded again */ }
}

function wasTurned() {
  try { return sessionStorage.getItem(TURNED) === '1'; } catch { return false; }
}

function flip() {
  setTurned(board.orientation() === 'w');
  announce(board.orientation() === 'w' ? 'Black below' : 'White below');
}

function wheel(event) {
  if (event.ctrlKey || Math.abs(event.deltaY) < Math.abs(event.deltaX)) return;
  event.preventDefault();
  if (event.timeStamp - (wheel.last ?? 0) < WHEEL_PAUSE) return;
  wheel.last = event.timeStamp;
  step(bound.ply + Math.sign(event.deltaY));
}

function typed(event) {
  event.preventDefault();
  const input = byId('typed-move');
  const move = readMove(moves, input.value);
  input.setCustomValidity(move ? '' : `${input.value} is not one legal move here; as in Nbd7, a8=Q, g1f3`);
  input.reportValidity();
  if (!move) { input.select(); return; } // the next key replaces the typed text
  input.value = '';
  bound.play(move);
}

/** Puts the board into the column. Until the promise is fulfilled, the column keeps the position that is to be shown. */
export async function createColumn() {
  setTurned(wasTurned());
  bindControls();
  const [{ createBoard }, { createBoardMenu }] = await Promise.all([import('./board.js'), import('./board_menu.js')]); // not before the first answer
  byId('flip').after(...createBoardMenu());
  board = await createBoard(byId('board'), (move) => bound.play(move));
  await board.turn(COMING.side);
  board.show(...COMING.kept);
  byId('board').removeAttribute('aria-busy');
}

function bindControls() {
  for (const name of Object.keys(steps)) byId(name).addEventListener('click', steps[name]);
  byId('flip').addEventListener('click', flip);
  byId('board').addEventListener('wheel', wheel, { passive: false });
  byId('typed').addEventListener('submit', typed);
  byId('typed-move').addEventListener('input', (event) => event.target.setCustomValidity(''));
}

/** Handles a key pressed outside of fields. Returns whether the key has a function. */
export function pressed(key) {
  if (key === 'f' && bound !== IDLE) flip();
  else if (keys[key] && bound !== IDLE) keys[key]();
  else return false;
  return true;
}

/** Calls watch({fen, start, play, line}) for each position that is shown, and watch(null) when there is none. `start` and
 * `play` are a FEN and the moves after it, in UCI and separated by commas. */
export function watchPosition(watch) {
  watcher = watch;
}

/** Shows a position. line: {ply, length, step(ply), play(move), start, ucis, playLine(ucis)}: `ucis` are the moves from
 * the FEN `start` to the position, and playLine plays several moves. playStart, if there is one, plays moves from the initial
 * position. Without `start`, nothing can be analysed. look: the options of board.show(). */
export function showPosition(fen, line, look) {
  bound = line;
  position = fen;
  moves = look.moves ?? [];
  byId('first').disabled = byId('back').disabled = line.ply === 0;
  byId('last').disabled = byId('forward').disabled = line.ply === line.length;
  byId('board-column').hidden = false;
  byId('typed').hidden = moves.length === 0;
  board.show(fen, look);
  watcher(line.start ? { fen, start: line.start, play: line.ucis.join(','), line } : null);
}

/** Returns the line and the FEN that are shown, {...line, fen}; null if no view shows a position. */
export const shownLine = () => (bound.start ? { ...bound, fen: position } : null);

/** Shows an empty board with room for the names of players, until a game arrives. */
export function reserveColumn() {
  showPosition(EMPTY, IDLE, {});
  showPlayers({ name: '' }, { name: '' });
}

export function hideColumn() {
  bound = IDLE;
  byId('board-column').hidden = true;
  watcher(null);
}

export const orientation = () => board.orientation();

/** Turns the board so that a side ('w' or 'b') is below. */
export function turnTo(side) {
  if (board.orientation() !== side) setTurned(side === 'b');
}

export const pointAt = (uci) => board.point(uci);

/** Draws arrows for moves, the best first. */
export const hintAt = (ucis) => board.hint(ucis);

/** Draws the arrow of a threat; null: removes it. */
export const threatAt = (uci) => board.threat(uci);

/** Shows the players of a game above and below the board, each with the time on the clock. Without arguments, shows
 * nothing. */
export function showPlayers(white, black) {
  const plate = (player) => (player ? [el('span', { class: 'name' }, player.name), player.rating && el('span', { class: 'rating' }, String(player.rating)),
    player.clock && el('span', { class: 'clock', title: 'time left' }, player.clock)] : []);
  byId('plate-white').replaceChildren(...plate(white).filter(Boolean));
  byId('plate-black').replaceChildren(...plate(black).filter(Boolean));
}

/** Shows nodes below the buttons. */
export const showBelow = (...nodes) => byId('below-board').replaceChildren(...nodes);
