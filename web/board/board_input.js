/* SPDX-License-Identifier: MIT */
// Moves with a pointer or with keys: a piece is dragged, or the piece and then its square are pressed.

import { announce, el } from '../base/dom.js';
import { handleKeys } from './board_keys.js';

const START = 5; // pixels after which a press is a drag

const squareAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest('.board-grid .square')).find(Boolean)?.dataset.square ?? null;

/** Creates a piece that follows the pointer. Returns {move(event), remove()}. */
function createGhost(cell, cells) {
  const size = cell.clientWidth;
  const ghost = el('div', { class: 'board-ghost', 'aria-hidden': 'true' }, cell.querySelector('.piece').cloneNode(true));
  ghost.style.width = ghost.style.height = `${size}px`;
  cell.classList.add('left');
  document.body.append(ghost);
  const mark = (square) => cells.forEach((one, name) => one.classList.toggle('over', name === square));
  return {
    move(event) {
      ghost.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size / 2}px)`;
      mark(squareAt(event));
    },
    remove() {
      ghost.remove();
      cell.classList.remove('left');
      mark(null);
    },
  };
}

/** Handles the input of a grid. `cells` are the squares by name. board: {from(square), fitting(from, to), played(moves,
 * square), finish(), isTurned()}. played() is called with the legal moves that were meant, and with the square if the piece
 * was dropped there. Returns {refresh(), cancel()}: refresh() shows what can be chosen in a position, cancel() ends a drag. */
export function createInput(grid, cells, board) {
  let selected = null;
  let press = null; // {square, id, x, y, piece, again, ghost}

  function mark() {
    const targets = new Set(selected === null ? [] : board.from(selected).map((move) => move.to));
    cells.forEach((cell, square) => {
      cell.classList.toggle('selected', square === selected);
      cell.setAttribute('aria-selected', String(square === selected));
      cell.classList.toggle('target', targets.has(square));
      cell.classList.toggle('movable', board.from(square).length > 0);
    });
  }

  function select(square) {
    selected = square;
    mark();
  }

  function cancel() {
    press?.ghost?.remove();
    press = null;
    selected = null;
  }

  /* Cancels the choice or the drag. Returns whether there was one. */
  function drop() {
    const there = selected !== null || press !== null;
    cancel();
    mark();
    return there;
  }

  /* Plays the meant moves, if there are some. */
  function use(from, to, square) {
    const moves = from === null || to === null || from === to ? [] : board.fitting(from, to);
    select(null);
    if (moves.length > 0) board.played(moves, square);
  }

  function down(event) {
    if (event.button !== 0 || !event.isPrimary) { drop(); return; }
    if (press) drop(); // it was released outside of the window
    const square = event.target.closest('.square')?.dataset.square;
    if (!square) return;
    document.activeElement?.blur();
    board.finish();
    const meant = selected !== null && board.fitting(selected, square).length > 0;
    const piece = !meant && board.from(square).length > 0;
    press = { square, id: event.pointerId, x: event.clientX, y: event.clientY, piece, again: selected === square, ghost: null };
    if (piece) select(square);
  }

  function move(event) {
    if (!press?.piece || event.pointerId !== press.id) return;
    if (!press.ghost && Math.hypot(event.clientX - press.x, event.clientY - press.y) < START) return;
    press.ghost ??= createGhost(cells.get(press.square), cells);
    press.ghost.move(event);
  }

  function up(event) {
    if (!press || event.pointerId !== press.id) return;
    const { square, piece, again, ghost } = press;
    const to = squareAt(event);
    press = null;
    ghost?.remove();
    if (ghost) use(square, to, to);
    else if (to === square && piece && again) select(null);
    else if (to === square && !piece) use(selected, square, null);
  }

  function choose(square) {
    const moves = board.from(square);
    if (selected !== null && board.fitting(selected, square).length > 0) use(selected, square, null);
    else if (moves.length > 0 && selected !== square) {
      select(square);
      announce(`${cells.get(square).getAttribute('aria-label')}: to ${[...new Set(moves.map((one) => one.to))].join(', ')}`);
    } else select(null);
  }

  handleKeys(grid, cells, { choose, cancel: drop, isTurned: board.isTurned });
  grid.addEventListener('pointerdown', down);
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', (event) => { if (press?.id === event.pointerId) drop(); });
  // A pointer does not move the focus to a square: the arrow keys would no longer step through the moves.
  grid.addEventListener('mousedown', (event) => event.preventDefault());
  // A touch is no click in addition, which could choose from the promotion that has just opened below the finger.
  grid.addEventListener('touchend', (event) => { if (event.cancelable) event.preventDefault(); });
  return {
    refresh() {
      if (selected !== null && board.from(selected).length === 0) selected = null;
      mark();
    },
    cancel,
  };
}
