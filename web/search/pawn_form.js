/* SPDX-License-Identifier: MIT */
// The fields for a pawn structure: a board for pawns, structures that have names, and the position of the pawns.

import { el } from '../base/dom.js';
import { check, field, group, option } from './fields.js';
import { createSetup } from './setup.js';
import { STRUCTURES } from './structures.js';

/** Creates the group of fields. Its board is created when it is opened. Returns {element, get(), set(params)}. */
export function createPawns(changed) {
  let [board, text] = [null, ''];
  const place = el('div', { class: 'pawn-board' });
  const names = el('select', {}, option(['', 'Choose']), ...STRUCTURES.map(({ name }, i) => option([String(i), name])));
  const all = el('select', { name: 'pawnsall', form: 'search-form' }, option(['', 'at least these pawns']), option(['1', 'exactly these pawns']));
  const box = group('Pawn structure', el('div', { class: 'pawn-form' }, place, el('div', { class: 'pawn-rules' }, field('Structure', names, 'Fills the board. × marks squares without a pawn.'), field('The position has', all),
    el('fieldset', { class: 'field' }, el('legend', {}, 'The structure, too, with'), check('pawnsflip', 'colours exchanged'), check('pawnsmirror', 'files turned round')))));

  function say() {
    const named = STRUCTURES.findIndex(({ pawns }) => pawns === text);
    names.value = named < 0 ? '' : String(named);
    box.say(named >= 0 ? STRUCTURES[named].name : text ? 'set up' : '');
  }
  function build() {
    if (board) return;
    board = createSetup(() => { text = board.get(); say(); changed(); }, () => {}, 'pawns');
    board.set(text);
    place.append(board.element);
  }
  function show(next) {
    text = next;
    board?.set(text);
    say();
  }

  box.element.addEventListener('toggle', () => { if (box.element.open) build(); });
  names.addEventListener('change', () => {
    if (names.value === '') return;
    show(STRUCTURES[Number(names.value)].pawns);
    all.value = '';
    changed();
  });
  return {
    element: box.element,
    get: () => ({ pawns: text }),
    set(params) {
      if (params.pawns && !params.go) box.element.open = true;
      show(params.pawns ?? '');
    },
  };
}
