/* SPDX-License-Identifier: MIT */
// The fields for material balance (White's pieces minus Black's) and for the path of a piece.

import { el } from '../base/dom.js';
import { check, field, group, option, text } from './fields.js';
import { pieceName } from '../base/rules.js';
import { BALANCES, ends, PIECES, rangeOf, rangesOf } from './balances.js';

const ROWS = { ...PIECES, points: 'Points (pawn 1, queen 9)' };

function rangeRow(of, label) {
  const number = (end) => el('input', { type: 'number', step: '1', min: '-99', max: '99', 'data-of': of, 'data-end': end, 'aria-label': `${label}: ${end}`, placeholder: end });
  return el('div', { class: 'range-row', role: 'group', 'aria-label': label }, el('span', {}, label), number('from'), '–', number('to'));
}

/** Creates the group of fields of the balance. Returns {element, get(), set(params)}. */
export function createBalance(changed) {
  const rows = el('div', { class: 'ranges' }, ...Object.entries(ROWS).map(([of, label]) => rangeRow(of, label)));
  const presets = el('select', {}, option(['', 'Choose']), ...BALANCES.map(({ name }, i) => option([String(i), name])));
  const opposite = el('input', { type: 'checkbox', name: 'opposite', value: '1', form: 'search-form' });
  const box = group('Material balance', field('Balance', presets, 'From White’s side: fills the fields below'), el('p', { class: 'hint' }, 'White’s number of pieces minus Black’s. The same number twice is exact.'), rows,
    el('div', { class: 'row' }, el('label', { class: 'pill' }, opposite, 'opposite-coloured bishops'), check('balanceflip', 'for either side'),
      field('For at least … plies', text('lasting', '1', { inputmode: 'numeric', pattern: '\\d{1,3}', size: 4 }), 'Exchanges change the balance for a ply or two')));

  const ofRow = (of) => ['from', 'to'].map((end) => rows.querySelector(`[data-of="${of}"][data-end="${end}"]`));
  const range = (of) => rangeOf(...ofRow(of).map((input) => input.value));
  const difference = () => Object.keys(PIECES).map((of) => [of, range(of)]).filter(([, one]) => one).map((one) => one.join(':')).join(',');
  function say() {
    const filled = Object.keys(ROWS).filter((of) => range(of)).length + Number(opposite.checked);
    box.say(filled === 0 ? '' : BALANCES.find(({ values }) => values.difference === difference() && Boolean(values.opposite) === opposite.checked)?.name ?? 'set');
  }
  function put(values) {
    const ranges = rangesOf(values.difference);
    if (values.balance) ranges.set('points', values.balance);
    for (const of of Object.keys(ROWS)) [ofRow(of)[0].value, ofRow(of)[1].value] = ends(ranges.get(of) ?? '') ?? ['', ''];
    opposite.checked = Boolean(values.opposite);
    say();
  }

  presets.addEventListener('change', () => {
    if (presets.value === '') return;
    put(BALANCES[Number(presets.value)].values);
    presets.value = '';
    changed();
  });
  box.element.addEventListener('input', say);
  return {
    element: box.element,
    get: () => ({ difference: difference(), balance: range('points') }),
    set(params) {
      put(params);
      if (!params.go && (params.difference || params.balance || params.opposite)) box.element.open = true;
    },
  };
}

/* Returns squares separated by blanks. Three or more squares with dashes are a path; two are a rectangle. */
const squaresOf = (words) => words.trim().split(/[\s,→]+/).map((word) => (/^([a-h][1-8]-){2,}[a-h][1-8]$/.test(word) ? word.replaceAll('-', ' ') : word)).join(' ');

/** Creates the group of fields of the path. Returns {element, get(), set(params)}. */
export function createPath() {
  const piece = el('select', {}, ...[...'NBRQKPnbrqkp'].map((letter) => option([letter, pieceName(letter)])));
  const squares = el('input', { type: 'text', placeholder: 'g1 f3 g5 f7', autocomplete: 'off', spellcheck: 'false' });
  const box = group('Path of a piece', el('div', { class: 'fields' }, field('Piece', piece), field('Squares, in order', squares, 'Also files (e), ranks (7) and rectangles (c3-f6)')),
    el('div', { class: 'row' }, check('pathflip', 'colours exchanged, too')), el('p', { class: 'hint' }, 'One piece is on the first square and visits the others later, perhaps with other squares between them.'));
  const get = () => { const words = squaresOf(squares.value); return { path: words && `${piece.value} ${words}` }; };
  box.element.addEventListener('input', () => box.say(get().path));
  return {
    element: box.element,
    get,
    set({ path = '', go: started = '' }) {
      const [letter, ...words] = path.split(' ');
      // Several letters are pieces, one of which moves: they are possible in a query.
      if (path && ![...piece.options].some((one) => one.value === letter)) piece.append(option([letter, letter]));
      piece.value = path ? letter : 'N';
      squares.value = words.join(' ');
      if (path && !started) box.element.open = true;
      box.say(path);
    },
  };
}
