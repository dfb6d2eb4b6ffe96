/* SPDX-License-Identifier: MIT */
// A cursor on the board that draws arrows and circles with the keyboard.

import { announce, el } from '../base/dom.js';
import { pieceAt, pieceName } from '../base/rules.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Creates the cursor in `container`. options: turned(), whether Black is below; fen(); mark(from, to, event), called with
 * the two squares, which are equal for a circle. Returns {start(), close()}. */
export function createCursor(container, options) {
  const element = el('div', { class: 'mark-cursor', role: 'application', tabindex: '-1', 'aria-label': 'Draw on the board', hidden: true });
  let [file, rank, from, before] = [4, 4, null, null];
  const square = () => 'abcdefgh'[file - 1] + rank;

  function say() {
    const piece = pieceAt(options.fen(), square());
    const words = `${square()}${piece ? `, ${pieceName(piece)}` : ''}`;
    element.setAttribute('aria-label', from ? `${words}; from ${from}` : words);
    announce(from ? `from ${from} to ${words}` : words);
  }

  function show() {
    const [x, y] = options.turned() ? [8 - file, rank - 1] : [file - 1, 8 - rank];
    element.style.left = `${12.5 * x}%`;
    element.style.top = `${12.5 * y}%`;
    element.classList.toggle('from', from !== null);
    say();
  }

  function step([dx, dy]) {
    const way = options.turned() ? -1 : 1;
    file = Math.max(1, Math.min(8, file + way * dx));
    rank = Math.max(1, Math.min(8, rank + way * dy));
    show();
  }

  function choose(event) {
    if (from) options.mark(from, square(), event);
    from = from ? null : square();
    show();
  }

  function stop() {
    from = null;
    element.hidden = true;
    before?.focus();
  }

  element.addEventListener('keydown', (event) => {
    if (STEPS[event.key]) step(STEPS[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') choose(event);
    else if (event.key === 'Escape' && from) { from = null; show(); } else if (event.key === 'Escape') stop();
    else return;
    event.preventDefault();
  });
  element.addEventListener('blur', () => { from = null; element.hidden = true; });
  container.append(element);
  return {
    start() {
      before = document.activeElement;
      element.hidden = false;
      element.focus();
      show();
    },
    close: () => element.remove(),
  };
}
