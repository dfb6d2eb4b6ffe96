/* SPDX-License-Identifier: MIT */
// A report reads all games of a player, which can need much of the server's time. It is made at once if there are few
// games, or if the user has chosen the player in this visit; otherwise by a button.

import { el, fillWhenThere } from '../base/dom.js';
import { report, tree } from '../base/api.js';
import { games } from '../base/words.js';

const FEW = 100; // games
let wanted = ''; // the player whose reports the user has requested

/** Remembers that the user requests the reports of a player. */
export const want = (player) => { wanted = player; };

function offer(n, params, again) {
  const act = () => { want(params.player); again(); };
  return [el('p', { class: 'hint' }, `The report reads ${games(n)}.`), el('p', { class: 'links' }, el('button', { type: 'button', class: 'make-report', onclick: act }, 'Make the report'))];
}

/** Fills an element with draw(report), or with a button that makes the report. again() requests it again. */
export function fillReport(target, params, signal, draw, again) {
  const { player, color, min, min_games, bits, ...filters } = params;
  async function ask() {
    const counted = wanted === player ? null : await tree({ topGames: 0, recentGames: 0, bits: '', player, color, ...filters }, signal);
    return counted?.games > FEW ? { n: counted.games } : { answer: await report(params, signal) };
  }
  fillWhenThere(target, ask(), ({ n, answer }) => (answer ? draw(answer) : offer(n, params, again)), again);
}
