/* SPDX-License-Identifier: MIT */
// Results from the side of a player, whatever the colour. Answers have them if the games of one player are requested.

import { el } from '../base/dom.js';
import { percent } from '../base/words.js';

export const finished = (side) => side.wins + side.draws + side.losses;

/** Returns the share of the points in percent; null if no game is finished. */
export const score = (side) => (finished(side) > 0 ? (100 * (side.wins + side.draws / 2)) / finished(side) : null);

/** Formats the score: "62.5 %"; "–" if no game is finished. */
export const points = (side) => (score(side) === null ? '–' : `${(Math.round(10 * score(side)) / 10).toFixed(1)} %`);

/** Creates a bar of the shares of games won, drawn and lost. Shares of at least `least` are written in the bar. */
export function sideBar(side, least = 0.13) {
  const whole = finished(side);
  const words = `won ${percent(side.wins, whole)}, drawn ${percent(side.draws, whole)}, lost ${percent(side.losses, whole)}`;
  const parts = [['won', side.wins], ['drawn', side.draws], ['lost', side.losses]].filter(([, n]) => n > 0).map(([kind, n]) => {
    const part = el('span', { class: n / whole < 0.22 ? `${kind} small` : kind }, n / whole >= least ? percent(n, whole) : '');
    part.style.flexGrow = String(n); // the page's policy forbids style attributes
    return part;
  });
  return el('div', { class: 'bar', role: 'img', 'aria-label': whole ? words : 'no finished games', title: words }, ...parts);
}
