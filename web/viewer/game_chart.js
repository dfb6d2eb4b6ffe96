/* SPDX-License-Identifier: MIT */
// The chart of a game: its evaluations, the time left of both sides, and the moves that lost most.

import { el, svg } from '../base/dom.js';
import { share } from '../base/chances.js';
import { clock, evaluation, moveNumber } from '../base/words.js';

const [WIDTH, HEIGHT] = [640, 96]; // stretched to the width of the page

const known = (value) => value !== null && value !== undefined;

function curve(evals, x) {
  const points = evals.flatMap((value, ply) => (known(value) ? [`${x(ply).toFixed(1)},${(HEIGHT * (1 - share(value))).toFixed(1)}`] : []));
  if (points.length === 0) return null;
  const [first, last] = [points[0].split(',')[0], points.at(-1).split(',')[0]];
  return svg('polygon', { class: 'curve', points: `${first},${HEIGHT} ${points.join(' ')} ${last},${HEIGHT}` });
}

/* The time left of one side. The top is the most time that a side had. */
function clockLine(game, white, x) {
  const most = Math.max(1, ...game.clocks.filter(known));
  const points = game.clocks.flatMap((seconds, ply) => (known(seconds) && ply > 0 && game.isWhite(ply) === white
    ? [`${x(ply).toFixed(1)},${(HEIGHT - 2 - (HEIGHT - 4) * (seconds / most)).toFixed(1)}`] : []));
  return points.length > 1 && svg('polyline', { class: `time ${white ? 'white' : 'black'}`, points: points.join(' ') });
}

function dot(game, mark) {
  const value = game.evals[mark.ply];
  const words = `${moveNumber(mark.ply + game.shift)} ${game.san[mark.ply - 1]}: ${mark.kind}, ${evaluation(game.evals[mark.ply - 1])} to ${value.over ? 'mate' : evaluation(value)}`;
  const link = el('a', { class: `dot ${mark.kind}`, href: game.href(mark.ply), 'aria-label': words, title: words });
  link.style.left = `${(100 * mark.ply) / Math.max(1, game.san.length)}%`;
  link.style.top = `${100 * (1 - share(value))}%`;
  return link;
}

const PLURAL = { blunder: 'blunders', mistake: 'mistakes', inaccuracy: 'inaccuracies' };

function sum(marks, white) {
  const counts = Object.keys(PLURAL).map((kind) => [kind, marks.filter((mark) => mark.kind === kind && mark.white === white).length]);
  const words = counts.filter(([, n]) => n > 0).map(([kind, n]) => `${n} ${n === 1 ? kind : PLURAL[kind]}`).join(', ');
  return `${white ? 'White' : 'Black'}: ${words || 'no mistakes'}`;
}

function legend(game, clocks) {
  const times = clocks ? [el('span', { class: 'time white' }, 'White’s time'), el('span', { class: 'time black' }, 'Black’s time')] : [];
  const sums = game.marks ? [true, false].map((white) => el('span', {}, sum(game.marks, white))) : [];
  return times.length + sums.length > 0 && el('p', { class: 'chart-legend' }, ...times, ...sums);
}

function inWords(game, ply) {
  const [value, seconds] = [game.evals?.[ply], game.clocks?.[ply]];
  const move = ply > 0 ? `${moveNumber(ply + game.shift)} ${game.san[ply - 1]}` : 'Start';
  return [move, known(value) && !value.over && evaluation(value), known(seconds) && `${clock(seconds)} left`].filter(Boolean).join(' · ');
}

/** Creates the chart; null without evals and clocks. game: evals and clocks by ply, from ply 0 (null: unknown), or null; marks
 * (see judge), or null; san; shift; isWhite(ply); href(ply). go(ply) is called with the ply that was clicked. */
export function gameChart(game, ply, go) {
  const plies = game.san.length;
  const [evals, clocks] = [game.evals !== null, game.clocks?.some(known)];
  if (plies === 0 || (!evals && !clocks)) return null;
  const x = (at) => (at * WIDTH) / plies;
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Evaluations and time left by move; both are also beside the moves' },
    evals && curve(game.evals, x), svg('line', { class: 'grid', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    ...(clocks ? [clockLine(game, true, x), clockLine(game, false, x)] : []), svg('line', { class: 'here', x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }));
  const plyAt = (event) => {
    const box = picture.getBoundingClientRect();
    return Math.max(0, Math.min(plies, Math.round(((event.clientX - box.left) / box.width) * plies)));
  };
  picture.addEventListener('click', (event) => go(plyAt(event)));
  const area = el('div', { class: 'chart-area' }, picture, ...(game.marks ?? []).filter((mark) => mark.kind !== 'inaccuracy').map((mark) => dot(game, mark)));
  area.addEventListener('pointermove', (event) => { if (!event.target.closest('a')) area.title = inWords(game, plyAt(event)); });
  return el('div', { class: clocks && !evals ? 'game-chart times-only' : 'game-chart' }, area, legend(game, clocks));
}
