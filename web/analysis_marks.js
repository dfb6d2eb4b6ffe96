// Arrows and circles on the board. They are drawn with the right mouse button: from square to square, or on one square.

import { isMark } from './analysis_pgn.js';
import { svg } from './dom.js';

const SIDE = 40;
const BOARD = 8 * SIDE;

const center = (square) => ({ x: SIDE * ('abcdefgh'.indexOf(square[0]) + 0.5), y: SIDE * (8.5 - Number(square[1])) });

// The same shape as in pictures of the server (board_picture.c).
function arrow(mark) {
  const [a, b] = [center(mark.slice(1, 3)), center(mark.slice(3))];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const outline = [[length - 12, 3.2], [17, 3.2], [17, 10], [3, 0], [17, -10], [17, -3.2], [length - 12, -3.2]];
  const points = outline.map(([along, across]) => `${(b.x - along * dx - across * dy).toFixed(1)},${(b.y - along * dy + across * dx).toFixed(1)}`);
  return svg('polygon', { class: `arrow ${mark[0]}`, points: points.join(' '), 'data-mark': mark });
}

function circle(mark) {
  const { x, y } = center(mark.slice(1));
  return svg('circle', { class: `circle ${mark[0]}`, cx: x, cy: y, r: 18, 'data-mark': mark });
}

const shape = (mark) => (mark.length === 5 ? arrow(mark) : circle(mark));

/** Returns the colour of a gesture, as on Lichess: green, Shift or Control red, Alt blue, both yellow. */
function colorOf(event) {
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

/** Returns the arrows and circles of comments: of [%cal Ge2e4] and [%csl Re4]. */
export const marksOf = (text) => [...text.matchAll(/\[%c[as]l\s+([^\]]*)\]/g)].flatMap(([, list]) => list.split(',').map((one) => one.trim())).filter(isMark);

/** Adds a layer to the board in `container`. Returns {show(marks), close()} and the layer. */
export function createLayer(container) {
  const layer = svg('svg', { class: 'marks', viewBox: `0 0 ${BOARD} ${BOARD}`, 'aria-hidden': 'true' });
  container.append(layer);
  return { layer, show: (marks) => layer.replaceChildren(...marks.map(shape)), close: () => layer.remove() };
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
