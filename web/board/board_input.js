/* SPDX-License-Identifier: MIT */
// Moves with a pointer or with keys: a piece is dragged, or the piece and then its square are pressed. On the grid of
// squares, arrow keys go to another square, Enter chooses, and Escape gives up.

import { announce, el } from '../base/dom.js';

const START = 5; // pixels after which a press is a drag
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FIRST = 'e2'; // has the focus when Tab reaches the board for the first time

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

  /* Plays the meant moves, if there are some. */
  function use(from, to, square) {
    const moves = from === null || to === null || from === to ? [] : board.fitting(from, to);
    select(null);
    if (moves.length > 0) board.played(moves, square);
  }

  function down(event) {
    if (press || event.button !== 0 || !event.isPrimary) { cancel(); mark(); return; }
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

  function focus(square) {
    grid.querySelectorAll('[tabindex="0"]').forEach((one) => { one.tabIndex = -1; });
    cells.get(square).tabIndex = 0;
    cells.get(square).focus();
  }

  function step(square, [x, y]) {
    const way = board.isTurned() ? -1 : 1;
    const [file, rank] = ['abcdefgh'.indexOf(square[0]) + way * x, Number(square[1]) - way * y];
    if (file >= 0 && file < 8 && rank > 0 && rank < 9) focus('abcdefgh'[file] + rank);
  }

  function key(event) {
    const square = event.target.closest('.square')?.dataset.square;
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) step(square, STEPS[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') choose(square);
    else if (event.key === 'Escape' && (selected !== null || press)) { cancel(); mark(); }
    else if (event.key === 'Escape') event.target.blur();
    else return;
    event.preventDefault();
  }

  cells.get(FIRST).tabIndex = 0;
  grid.addEventListener('pointerdown', down);
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', (event) => { if (press?.id === event.pointerId) { cancel(); mark(); } });
  // A pointer does not give the focus to a square: the arrow keys would no longer step through the moves.
  grid.addEventListener('mousedown', (event) => event.preventDefault());
  // A touch is no click in addition, which could choose from the promotion that has just opened below the finger.
  grid.addEventListener('touchend', (event) => { if (event.cancelable) event.preventDefault(); });
  grid.addEventListener('keydown', key);
  grid.addEventListener('keyup', (event) => { if (event.key === ' ') event.preventDefault(); }); // not also a click
  grid.addEventListener('click', (event) => { // by assistive technology
    const square = event.target.closest('.square')?.dataset.square;
    if (square && event.detail === 0) choose(square);
  });
  return {
    refresh() {
      if (selected !== null && board.from(selected).length === 0) selected = null;
      mark();
    },
    cancel,
  };
}
