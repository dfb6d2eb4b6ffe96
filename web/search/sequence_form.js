/* SPDX-License-Identifier: MIT */
// The fields for a sequence: a list of steps, each a move or a condition, which can be reordered by buttons and by keys.

import { announce, el } from '../base/dom.js';
import { check, field, group, option } from './fields.js';
import { stepsOf, stepsText } from './query.js';
import { hasSide, KINDS } from './steps.js';

const GAPS = { '': 'any number of plies later', next: 'at the next ply', most: 'at most … plies later' };
const SIDES = [['', 'either side'], ['white', 'White'], ['black', 'Black']];

/* Creates the field for the value of a step: a text, a choice or nothing. */
function valueField(step) {
  const { example, choices, title, label } = KINDS[step.kind];
  const attributes = { class: 'step-value', 'aria-label': `${label}: ${title}`, title };
  if (choices) return el('select', attributes, ...choices.map((one) => el('option', { value: one, selected: one === step.value }, one)));
  return example ? el('input', { ...attributes, type: 'text', placeholder: example, autocomplete: 'off', spellcheck: 'false', value: step.value }) : el('span', { class: 'step-value' });
}

/** Creates the group of fields. changed() is called after each change; board() returns the position that is set up.
 * Returns {element, get(), set(params), say()}. get() throws an error if the JSON of a step is invalid. */
export function createSequence(changed, board) {
  let steps = [];
  const list = el('ol', { class: 'steps' });
  const gap = el('select', { 'aria-label': 'Plies from a step to the next' }, ...Object.entries(GAPS).map(option));
  const most = el('input', { type: 'number', min: '1', max: '999', 'aria-label': 'At most this number of plies later', value: '10', hidden: true });

  const button = (name, words, disabled, act) => el('button', { type: 'button', class: 'icon step-button', 'data-act': name, 'aria-label': words, title: words, disabled, onclick: act },
    { up: '↑', down: '↓', remove: '×' }[name]);
  const focus = (i, what) => list.children[i]?.querySelector(`${what}:not(:disabled)`)?.focus();

  function move(i, to) {
    if (to < 0 || to >= steps.length) return;
    steps.splice(to, 0, ...steps.splice(i, 1));
    draw();
    focus(to, `[data-act=${to < i ? 'up' : 'down'}]`);
    if (!list.contains(document.activeElement)) focus(to, '.step-button');
    announce(`Step ${i + 1} is now step ${to + 1}`);
    changed();
  }

  function remove(i) {
    steps.splice(i, 1);
    draw();
    if (steps.length > 0) focus(Math.min(i, steps.length - 1), '[data-act=remove]');
    else add.focus();
    announce(`Step ${i + 1} is removed`);
    changed();
  }

  function row(step, i) {
    const value = valueField(step);
    const side = el('select', { class: 'step-side', 'aria-label': 'Side that moves', disabled: !hasSide(step.kind) }, ...SIDES.map(option));
    const kind = el('select', { class: 'step-kind', 'aria-label': 'Kind of step' }, ...Object.entries(KINDS).map(([name, { label }]) => option([name, label])));
    [side.value, kind.value] = [hasSide(step.kind) ? step.by : '', step.kind];
    side.addEventListener('change', () => { step.by = side.value; });
    value.addEventListener('input', () => { step.value = value.value; });
    kind.addEventListener('change', () => {
      Object.assign(step, { kind: kind.value, value: KINDS[kind.value].board ? board() : '' });
      draw();
      focus(i, 'input.step-value, select.step-value, .step-kind');
      changed();
    });
    const item = el('li', { 'aria-label': `Step ${i + 1}` }, el('span', { class: 'then', 'aria-hidden': 'true' }, i === 0 ? 'first' : 'then'), side, kind, value,
      el('span', { class: 'step-buttons' }, button('up', `Move step ${i + 1} up`, i === 0, () => move(i, i - 1)), button('down', `Move step ${i + 1} down`, i === steps.length - 1, () => move(i, i + 1)),
        button('remove', `Remove step ${i + 1}`, false, () => remove(i))));
    item.addEventListener('keydown', (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!event.altKey || !by) return;
      event.preventDefault();
      move(i, i + by);
    });
    return item;
  }

  function draw() {
    list.replaceChildren(...steps.map(row));
    box.say(steps.length > 0 ? `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}` : '');
  }

  const add = el('button', { type: 'button', onclick: () => {
    steps.push({ by: '', kind: 'move', value: '' });
    draw();
    focus(steps.length - 1, 'input.step-value');
    changed();
  } }, 'Add a step');
  gap.addEventListener('change', () => { most.hidden = gap.value !== 'most'; });
  const box = group('Sequence of moves and positions', list, el('p', { class: 'row' }, add, el('span', { class: 'hint' }, 'Alt and the arrow keys move a step up or down.')),
    el('div', { class: 'row' }, field('Each further step', el('span', { class: 'row' }, gap, most)), check('stepsflip', 'colours exchanged, too')));

  return {
    element: box.element,
    get() {
      const chosen = gap.value === 'most' ? most.value : gap.value;
      const text = stepsText(steps);
      return { steps: text, gap: text ? chosen : '' };
    },
    set(params) {
      steps = stepsOf(params.steps);
      gap.value = /^\d+$/.test(params.gap ?? '') ? 'most' : params.gap === 'next' ? 'next' : '';
      most.hidden = gap.value !== 'most';
      if (!most.hidden) most.value = params.gap;
      if (steps.length > 0 && !params.go) box.element.open = true;
      draw();
    },
  };
}
