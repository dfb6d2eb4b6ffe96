/* SPDX-License-Identifier: MIT */
// The sizes of the codes of a game: a table with bars, and a chart of the bits of each ply.

import { el, svg } from '../base/dom.js';
import { count, moveNumber, several } from '../base/words.js';
import { perPly, sizeRows } from './game_sizes.js';

const WIDTH = 640;
const HEIGHT = 150;
const LEFT = 34;
const BOTTOM = 20;

/** Shows the bits of each ply of one encoding; the plies after the position are pale. */
function chart(row, state) {
  const top = Math.max(...row.bits.map((n) => n ?? 0), 1);
  const step = (WIDTH - LEFT) / row.bits.length;
  const y = (n) => HEIGHT - BOTTOM - (n * (HEIGHT - BOTTOM - 10)) / top;
  const lines = [...new Set([0, Math.ceil(top / 2), top])].flatMap((n) => [svg('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y(n), y2: y(n) }),
    svg('text', { x: LEFT - 6, y: y(n) + 4, 'text-anchor': 'end' }, String(n))]);
  const columns = row.bits.map((n, i) => svg('rect', { class: i < state.ply ? 'ply' : 'ply later', x: LEFT + i * step + step * 0.1, y: y(n ?? 0), width: step * 0.8, height: HEIGHT - BOTTOM - y(n ?? 0) },
    svg('title', {}, `${moveNumber(i + 1 + state.shift)} ${state.sans[i] ?? ''}: ${n ?? 'no'} bits`)));
  const every = Math.max(1, Math.ceil(36 / step));
  const numbers = row.bits.flatMap((_, i) => ((i + state.shift) % 2 === 0 && Math.floor(i / 2) % Math.ceil(every / 2) === 0
    ? [svg('text', { x: LEFT + (i + 0.5) * step, y: HEIGHT - 5, 'text-anchor': 'middle' }, moveNumber(i + 1 + state.shift).replace('.', ''))] : []));
  return el('figure', { class: 'chart ply-chart' }, el('figcaption', {}, `Bits of each ply: ${row.name}`),
    svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `Bits of each ply in ${row.name}: ${row.bits.map((n) => n ?? 'none').join(', ')}` }, ...lines, ...columns, ...numbers));
}

function tableRow(row, most, state) {
  const bar = el('span', { class: 'size-bar' });
  bar.style.width = `${most > 0 ? (100 * row.total) / most : 0}%`; // the page's policy forbids style attributes
  const { partial, of } = state.infos.get(row.name);
  return el('tr', { 'data-code': row.name, 'aria-current': row.name === state.code ? 'true' : null },
    el('th', { scope: 'row' }, el('a', { href: state.href(row.name) }, row.name), partial && el('small', {}, ' partial'), of === 'game' && el('small', {}, ' game')),
    el('td', { class: 'size-cell' }, bar), el('td', { class: 'n here' }, row.missing && row.bits[state.ply - 1] === null ? '–' : count(row.here)),
    el('td', { class: 'n' }, count(row.total)), el('td', { class: 'n per-ply' }, perPly(row.perPly)));
}

/** Creates the panel for an answer of /encode/sizes. state: ply, shift, sans, code, infos (encodings by name), href(code). */
export function sizesPanel(answer, state) {
  const rows = sizeRows(answer.bits, state.ply);
  const most = Math.max(...rows.map((row) => row.total));
  const chosen = rows.find((row) => row.name === state.code) ?? rows.find((row) => row.name === 'legal-index-bits');
  const partly = rows.filter((row) => row.missing > 0);
  return [chart(chosen, state),
    el('table', { class: 'sizes' }, el('caption', {}, `The first ${state.ply} of ${several(answer.plies, 'ply', 'plies')}. Texts include the blank after each move.`),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Encoding'), el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'Bar')), ...['This ply', 'Bits', 'Per ply'].map((text) => el('th', { scope: 'col', class: 'n' }, text)))),
      el('tbody', {}, ...rows.map((row) => tableRow(row, most, state)))),
    partly.length > 0 && el('p', { class: 'hint' }, `Not all moves have a code in: ${partly.map((row) => row.name).join(', ')}.`)].filter(Boolean);
}
