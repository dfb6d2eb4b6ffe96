/* SPDX-License-Identifier: MIT */
// Keeps the move that is shown in view.

// Beside the board, the list has a limited height and scrolls; the page does not move.
function scrollList(box, move) {
  const top = move ? move.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop : 0;
  box.scrollTop = top - box.clientHeight / 2;
}

/** Scrolls to a move, or to the start if it is null. If the moves are part of the page, below a board that sticks (on
 * phones), the page scrolls. */
export function keepInView(box, move) {
  if (box.scrollHeight > box.clientHeight) scrollList(box, move);
  else if (move) move.scrollIntoView({ block: 'nearest' });
}
