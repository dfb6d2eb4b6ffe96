/* SPDX-License-Identifier: MIT */
// Windows with little room, in which the moves are directly below the board, or beside it (style.css).

const query = matchMedia('(max-width: 48rem), (max-height: 30rem)');

/** Returns whether the window has little room. */
export const isCompact = () => query.matches;

/** Calls act() when this changes. Returns a function that ends this. */
export function watchCompact(act) {
  query.addEventListener('change', act);
  return () => query.removeEventListener('change', act);
}
