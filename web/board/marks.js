/* SPDX-License-Identifier: MIT */
// Arrows and circles on the board: G, R, Y or B for the colour, and one or two squares, such as Ge2e4 or Re4.

import { svg } from '../base/dom.js';

const SIDE = 40;
const BOARD = 8 * SIDE;

const center = (square) => ({ x: SIDE * ('abcdefgh'.indexOf(square[0]) + 0.5), y: SIDE * (8.5 - Number(square[1])) });

/** Draws an arrow between the squares of a text such as e2e4, in the shape of the server's pictures (board_picture.c). */
export function arrow(squares, attributes) {
  const [a, b] = [center(squares.slice(0, 2)), center(squares.slice(2))];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const outline = [[length - 12, 3.2], [17, 3.2], [17, 10], [3, 0], [17, -10], [17, -3.2], [length - 12, -3.2]];
  const points = outline.map(([along, across]) => `${(b.x - along * dx - across * dy).toFixed(1)},${(b.y - along * dy + across * dx).toFixed(1)}`);
  return svg('polygon', { ...attributes, points: points.join(' ') });
}

function circle(mark) {
  const { x, y } = center(mark.slice(1));
  return svg('circle', { class: `circle ${mark[0]}`, cx: x, cy: y, r: 18, 'data-mark': mark });
}

const shape = (mark) => (mark.length === 5 ? arrow(mark.slice(1), { class: `arrow ${mark[0]}`, 'data-mark': mark }) : circle(mark));

/** Returns whether a text is an arrow or a circle: Ge2e4, Re4. */
export const isMark = (text) => /^[GRYB][a-h][1-8]([a-h][1-8])?$/.test(text) && text.slice(1, 3) !== text.slice(3);

/** Returns the arrows and circles of comments: of [%cal Ge2e4] and [%csl Re4]. */
export const marksOf = (text) => [...text.matchAll(/\[%c[as]l\s+([^\]]*)\]/g)].flatMap(([, list]) => list.split(',').map((one) => one.trim())).filter(isMark);

/** Adds a layer to the board in `container`. Returns {show(marks), close()} and the layer. */
export function createLayer(container) {
  const layer = svg('svg', { class: 'marks', viewBox: `0 0 ${BOARD} ${BOARD}`, 'aria-hidden': 'true' });
  container.append(layer);
  return { layer, show: (marks) => layer.replaceChildren(...marks.map(shape)), close: () => layer.remove() };
}
