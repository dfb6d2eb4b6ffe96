/* SPDX-License-Identifier: MIT */
// Carries a piece of the set-up board to another square with the pointer.

import { el } from '../base/dom.js';

/** Returns begin(event, i): starts to carry the piece of cell `i`. done(i, to) is called when the pointer is released:
 * on cell `to`, or outside of the board (-1). Nothing is called if the gesture is cancelled. */
export function createCarry(cells, done) {
  let carried = null;

  const cellAt = (event) => cells.indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest('.square'));

  function place(event) {
    const size = cells[0].clientWidth;
    carried.ghost.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size / 2}px)`;
    const over = cellAt(event);
    cells.forEach((cell, i) => cell.classList.toggle('target', i === over && i !== carried.from));
  }

  function end() {
    carried.ghost.remove();
    cells.forEach((cell) => cell.classList.remove('target', 'left'));
    carried = null;
  }

  // The piece follows the pointer once the pointer has left the square: a click is no move.
  window.addEventListener('pointermove', (event) => {
    if (!carried || (!carried.ghost.isConnected && cellAt(event) === carried.from)) return;
    if (!carried.ghost.isConnected) {
      cells[carried.from].classList.add('left');
      document.body.append(carried.ghost);
    }
    place(event);
  });
  window.addEventListener('pointerup', (event) => {
    if (!carried) return;
    const { from } = carried;
    end();
    done(from, cellAt(event));
  });
  window.addEventListener('pointercancel', () => { if (carried) end(); });

  return (event, i) => {
    const ghost = el('div', { class: 'carried', 'aria-hidden': 'true' }, ...[...cells[i].children].map((child) => child.cloneNode(true)));
    ghost.style.width = ghost.style.height = `${cells[i].clientWidth}px`;
    carried = { from: i, ghost };
  };
}
