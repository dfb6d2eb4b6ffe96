/* SPDX-License-Identifier: MIT */
// Charts in SVG. Each has a table with the same numbers for screen readers.

import { el, svg } from './dom.js';
import { axis, count, games, percent } from './words.js';

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 56;
const BROADEST = 48;
const BOTTOM = 24;
const SIDES = ['white', 'draws', 'black'];

const DECIMAL = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

/** Joins rows of `key` (ascending numbers) into at most `most` spans of equal width. The width is one of `steps` times
 * `unit`. Spans without games are included, with zeros. */
export function spans(rows, key, most, unit = 1, steps = DECIMAL) {
  if (rows.length === 0) return [];
  const [low, high] = [rows[0][key], rows.at(-1)[key]];
  const widths = steps.map((n) => n * unit);
  const start = (width) => Math.floor(low / width) * width;
  const width = widths.find((one) => (high - start(one)) / one < most) ?? widths.at(-1);
  const joined = [];
  for (let from = start(width); from <= high; from += width) joined.push({ from, to: from + width - unit, games: 0, white: 0, draws: 0, black: 0 });
  for (const row of rows) {
    const span = joined[Math.floor((row[key] - start(width)) / width)];
    span.games += row.games;
    for (const side of SIDES) span[side] += row[side];
  }
  return joined;
}

/** Joins months of a history ({month: "2014-05", white, draws, black}, ascending) into spans of months, or of years if
 * there are many. */
export function monthSpans(history, most = 40) {
  const rows = history.map((row) => ({ ...row, at: 12 * Number(row.month.slice(0, 4)) + Number(row.month.slice(5)) - 1, games: row.white + row.draws + row.black }));
  const joined = spans(rows, 'at', most, 1, MONTHS);
  const years = joined.length > 0 && joined[0].to - joined[0].from >= 11;
  const name = (at) => String(Math.floor(at / 12)).padStart(4, '0') + (years ? '' : `-${String((at % 12) + 1).padStart(2, '0')}`);
  return joined.map((row) => ({ ...row, from: name(row.from), to: name(row.to) }));
}

/** Returns 1, 2 or 5 times a power of ten: the step between at most five lines up to `top`. */
export function tick(top) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, top) / 5));
  return Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((step) => top / step <= 5));
}

function grid(top, scale) {
  const lines = [];
  for (let value = 0; value <= top; value += tick(top)) {
    const y = HEIGHT - BOTTOM - value * scale;
    lines.push(svg('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y, y2: y }), svg('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, axis(value)));
  }
  return lines;
}

const label = (row) => (row.from === row.to ? String(row.from) : `${row.from}–${row.to}`);
const inWords = (row) => `${label(row)}: ${games(row.games)}, White ${percent(row.white, row.games)}, drawn ${percent(row.draws, row.games)}, Black ${percent(row.black, row.games)}`;

function column(row, i, step, scale) {
  let y = HEIGHT - BOTTOM;
  const width = Math.min(BROADEST, step * 0.76);
  const x = LEFT + (i + 0.5) * step - width / 2;
  const group = svg('g', {}, svg('title', {}, inWords(row)), svg('rect', { class: 'hit', x: LEFT + i * step, y: 0, width: step, height: HEIGHT - BOTTOM }));
  for (const side of SIDES) {
    const height = row[side] * scale;
    y -= height;
    group.append(svg('rect', { class: side, x, y, width, height }));
  }
  return group;
}

const legend = () => el('span', { class: 'legend', 'aria-hidden': 'true' }, ...[['white', 'White won'], ['draws', 'drawn'], ['black', 'Black won']]
  .map(([side, words]) => el('span', { class: side }, words)));

function labels(rows, step) {
  const longest = Math.max(...rows.map((row) => String(row.from).length));
  const every = Math.ceil((13 * longest) / step);
  return rows.flatMap((row, i) => (i % every === 0 ? [svg('text', { x: LEFT + (i + 0.5) * step, y: HEIGHT - 6, 'text-anchor': 'middle' }, String(row.from))] : []));
}

function numbers(title, rows, head) {
  return el('details', {}, el('summary', {}, 'As a table'), el('table', { class: 'numbers' }, el('caption', { class: 'unseen' }, title),
    el('thead', {}, el('tr', {}, ...[head, 'Games', 'White', 'Drawn', 'Black'].map((text) => el('th', { scope: 'col' }, text)))),
    el('tbody', {}, ...rows.filter((row) => row.games > 0).map((row) => el('tr', {}, el('th', { scope: 'row' }, label(row)),
      ...['games', ...SIDES].map((name) => el('td', { class: 'n' }, count(row[name])))))))
  );
}

/** Makes a chart of results as columns of White's wins, draws and Black's wins. rows: {from, to, games, white, draws,
 * black}. */
export function resultChart(title, head, rows) {
  if (rows.length === 0) return el('figure', { class: 'chart' }, el('figcaption', {}, title), el('p', { class: 'hint' }, 'Not known of these games.'));
  const top = Math.max(...rows.map((row) => row.white + row.draws + row.black), 1);
  const scale = (HEIGHT - BOTTOM - 10) / top;
  const step = (WIDTH - LEFT) / rows.length;
  return el('figure', { class: 'chart' }, el('figcaption', {}, title, legend()),
    svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title}; the table below has the numbers` },
      ...grid(top, scale), ...rows.map((row, i) => column(row, i, step, scale)), ...labels(rows, step)),
    numbers(title, rows, head));
}
