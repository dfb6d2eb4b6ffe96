/* SPDX-License-Identifier: MIT */
// Comments in which engines and tournament programs write their figures: "d=28, sd=40, pv=Nf3 Nf6, wv=0.23". They are
// shown as a small button beside the move, which opens the list.

import { el } from '../base/dom.js';
import { explanation } from '../base/explain.js';
import { count } from '../base/words.js';

const PAIR = /^([A-Za-z]\w{0,3})=(.*)$/s;
const PLAIN = /^$|^book$|^[+-]?[\dM.#]+\/\d+\s+[\d.:]+\s*m?s?$/i; // other words that add nothing to the figures
const OPTIONS = 3; // "Threads=8; Hash=1024; ..." from this number on

const NAMES = {
  wv: 'evaluation', ev: 'own evaluation', d: 'depth', sd: 'selective depth', pv: 'expected line', pd: 'expected reply', mt: 'time used', tl: 'time left', s: 'speed',
  n: 'positions', tb: 'tablebase hits', h: 'hash used', R50: '50-move rule', mb: 'material',
};

const digits = /^\d{4,}$/;

/** Formats a figure: large numbers in groups, and times in seconds, which TCEC writes in milliseconds. */
function valueInWords(key, value) {
  if (!digits.test(value)) return value || '–';
  return key === 'mt' || key === 'tl' ? `${count((Number(value) / 1000).toFixed(1))} s` : count(Number(value));
}

/** Splits a comment into {pairs: [[key, value]], rest}: its figures and other words. Returns null for other comments. */
export function figures(text) {
  const parts = text.split(',').map((part) => part.trim()).filter(Boolean);
  const pairs = parts.flatMap((part) => { const pair = PAIR.exec(part); return pair ? [[pair[1], pair[2]]] : []; });
  const rest = parts.filter((part) => !PAIR.test(part)).join(', ');
  if (pairs.length < (PLAIN.test(rest) ? 1 : OPTIONS)) return null;
  return { pairs, rest: PLAIN.test(rest) ? '' : rest, head: rest };
}

/** Returns whether a comment lists the settings of programs. */
export const isSettings = (text) => (text.match(/\w=\S/g) ?? []).length >= OPTIONS;

/** Returns a short label: the depth, because the evaluation is shown anyway. */
export function figuresLabel({ pairs, head }) {
  const depth = new Map(pairs).get('d');
  return depth ? `d${depth}` : head || '…';
}

/** Creates the button and the list of a comment's figures. */
export function figuresButton(found) {
  const label = figuresLabel(found);
  const row = ([key, value]) => el('div', {}, el('dt', {}, NAMES[key] ?? key), el('dd', {}, valueInWords(key, value)));
  return explanation(label, () => el('dl', { class: 'figures' }, ...found.pairs.map(row)), { 'aria-label': `Figures of the engine: ${label}` });
}
