/* SPDX-License-Identifier: MIT */
// Windows with little room, in which the moves are directly below the board, or beside it (style.css).

const query = matchMedia('(max-width: 48rem), (max-height: 30rem)');

/** Returns whether the window has little room. */
export const isCompact = () => query.matches;

/** Calls act() when this changes; the element with the focus keeps it, also if act() moves the element. Returns a function
 * that ends this. */
export function watchCompact(act) {
  const listener = () => {
    const focused = document.activeElement;
    act();
    if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  };
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
