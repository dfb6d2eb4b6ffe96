/* SPDX-License-Identifier: MIT */
// Keys on the grid of squares: arrow keys go to another square, Enter chooses, and Escape cancels or leaves the board.

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FIRST = 'e2'; // has the focus when Tab reaches the board for the first time

const squareOf = (event) => event.target.closest('.square')?.dataset.square;

/** Returns the square next to a square; null outside of the board. */
function beside(square, [x, y], turned) {
  const way = turned ? -1 : 1;
  const [file, rank] = ['abcdefgh'.indexOf(square[0]) + way * x, Number(square[1]) - way * y];
  return file >= 0 && file < 8 && rank > 0 && rank < 9 ? 'abcdefgh'[file] + rank : null;
}

/** Handles the keys of a grid. board: {choose(square), cancel(), isTurned()}. cancel() returns whether there was something
 * to cancel. */
export function handleKeys(grid, cells, board) {
  function focus(square) {
    grid.querySelectorAll('[tabindex="0"]').forEach((one) => { one.tabIndex = -1; });
    cells.get(square).tabIndex = 0;
    cells.get(square).focus();
  }

  function key(event) {
    const square = squareOf(event);
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) focus(beside(square, STEPS[event.key], board.isTurned()) ?? square);
    else if (event.key === 'Enter' || event.key === ' ') board.choose(square);
    else if (event.key !== 'Escape') return;
    else if (!board.cancel()) event.target.blur();
    event.preventDefault();
  }

  cells.get(FIRST).tabIndex = 0;
  grid.addEventListener('keydown', key);
  grid.addEventListener('keyup', (event) => { if (event.key === ' ') event.preventDefault(); }); // not also a click
  grid.addEventListener('click', (event) => { if (event.detail === 0 && squareOf(event)) board.choose(squareOf(event)); }); // by assistive technology
}
