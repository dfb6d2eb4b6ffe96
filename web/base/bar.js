/* SPDX-License-Identifier: MIT */
// Bars of results.

import { el } from './dom.js';
import { percent } from './words.js';

const SMALL = 0.22; // smallest share whose number fits the bars on a phone

const finished = (row) => row.white + row.draws + row.black;

/** Creates a bar of the shares of White's wins, draws and Black's wins, with a description in words. Shares of at least
 * `least` are written in the bar. */
export function bar(row, least = 0.13) {
  const whole = finished(row);
  const words = `White ${percent(row.white, whole)}, drawn ${percent(row.draws, whole)}, Black ${percent(row.black, whole)}`;
  const parts = [['white', row.white], ['draws', row.draws], ['black', row.black]].filter(([, n]) => n > 0).map(([side, n]) => {
    const part = el('span', { class: n / whole < SMALL ? `${side} small` : side }, n / whole >= least ? percent(n, whole) : '');
    part.style.flexGrow = String(n); // the page's policy forbids style attributes
    return part;
  });
  return el('div', { class: 'bar', role: 'img', 'aria-label': whole ? words : 'no finished games', title: words }, ...parts);
}
