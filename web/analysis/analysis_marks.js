/* SPDX-License-Identifier: MIT */
// Arrows and circles that the user draws with the right mouse button: from square to square, or on one square.

import { createLayer } from '../board/marks.js';

/** Returns the colour of a gesture, as on Lichess: green, Shift or Control red, Alt blue, both yellow. */
export function colorOf(event) {
  const red = event.shiftKey || event.ctrlKey;
  if (red && event.altKey) return 'Y';
  if (event.altKey) return 'B';
  return red ? 'R' : 'G';
}

/** Adds a mark to a list. The same mark is removed instead, and a mark in another colour is replaced. */
export function toggled(marks, mark) {
  const others = marks.filter((one) => one.slice(1) !== mark.slice(1));
  return marks.includes(mark) ? others : [...others, mark];
}

/** Draws marks on the board in `container`, and lets the user draw them with the right mouse button. onMark(mark) is
 * called after each gesture. Returns {show(marks), drawWith(color), close()}: with a color, the left button and fingers
 * also draw, instead of moving pieces. */
export function createMarks(container, onMark) {
  const { layer, show: draw, close } = createLayer(container);
  let shown = [];
  let from = null;
  let color = '';
  const squareAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.dataset.square)?.dataset.square ?? null;
  const gesture = (event) => {
    const to = squareAt(event);
    return to && (color || colorOf(event)) + from + (to === from ? '' : to);
  };
  const listeners = {
    contextmenu: (event) => event.preventDefault(),
    pointerdown(event) { from = event.button === 2 || color ? squareAt(event) : null; },
    pointermove(event) {
      const mark = from && gesture(event);
      if (from) draw(mark ? toggled(shown, mark) : shown);
    },
    pointerup(event) {
      const mark = from && gesture(event);
      from = null;
      draw(shown);
      if (mark) onMark(mark);
    },
  };
  for (const [type, listener] of Object.entries(listeners)) container.addEventListener(type, listener);
  return {
    show(marks) { shown = marks; draw(marks); },
    drawWith(chosen) {
      color = chosen;
      layer.classList.toggle('drawing', color !== '');
    },
    close() {
      for (const [type, listener] of Object.entries(listeners)) container.removeEventListener(type, listener);
      close();
    },
  };
}
