/* SPDX-License-Identifier: MIT */
// Pieces that seem to move. They are on their new squares already; only their drawings move there.

import { squareName } from '../base/rules.js';

const DURATION = 180; // milliseconds
const TIMING = { duration: DURATION, easing: 'ease-in-out' };

const distance = (a, b) => Math.max(Math.abs((a % 8) - (b % 8)), Math.abs((a >> 3) - (b >> 3)));

/** Returns the squares [from, to] of the pieces that move between two positions: each to the nearest square on which an
 * equal piece appears. */
export function movements(before, after) {
  const changed = after.map((_, i) => i).filter((i) => before[i] !== after[i]);
  const left = changed.filter((i) => before[i]);
  return changed.filter((i) => after[i]).flatMap((to) => {
    const [from] = left.filter((i) => before[i] === after[to]).sort((a, b) => distance(a, to) - distance(b, to));
    if (from === undefined) return [];
    left.splice(left.indexOf(from), 1);
    return [[from, to]];
  });
}

/** Returns {start(cells, before, after, below, dropped), finish()}: start() lets pieces move, except to the square
 * `dropped`; finish() ends this at once. */
export function createSlides() {
  let running = [];
  return {
    start(cells, before, after, below, dropped) {
      const way = below === 'w' ? 100 : -100;
      running = movements(before, after).filter(([, to]) => squareName(to) !== dropped).map(([from, to]) => {
        const offset = `translate(${way * ((from % 8) - (to % 8))}%, ${way * ((from >> 3) - (to >> 3))}%)`;
        return cells.get(squareName(to)).querySelector('.piece').animate([{ transform: offset, zIndex: 1 }, { transform: 'none', zIndex: 1 }], TIMING);
      });
    },
    finish() {
      for (const one of running) one.finish();
      running = [];
    },
  };
}
