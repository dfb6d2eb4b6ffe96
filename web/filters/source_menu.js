/* SPDX-License-Identifier: MIT */
// The choice of archives, in the line above the answers: a menu with a box to tick for each archive. Without a choice,
// the answers are from all archives that the command names. Files that were opened on the page are ticked to be added.

import { el } from '../base/dom.js';
import { sources, usual } from '../base/sources.js';
import { loadSheet } from '../base/sheets.js';
import { createPopup } from './popup.js';
import { count, games } from '../base/words.js';

const numbersOf = (value) => (value === '' ? usual(sources()) : value.split(',').map(Number));

/** Returns the value of the address for these archives; '' without a choice, or if none is ticked. */
export function valueOf(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b).join(',');
  return sorted === usual(sources()).join(',') ? '' : sorted;
}

/** Names the chosen archives. */
export function chosenInWords(value) {
  if (value === '') return 'All archives';
  const numbers = numbersOf(value);
  const named = sources().find((one) => one.number === numbers[0])?.name ?? `Archive ${numbers[0]} (closed)`;
  return numbers.length === 1 ? named : `${count(numbers.length)} archives`;
}

function choice(one, change) {
  const box = el('input', { type: 'checkbox', value: one.number, onchange: change });
  return el('label', { class: 'source' }, box, el('span', { class: 'name' }, one.name), el('small', {}, `${games(one.games)}${one.uploaded ? ', opened here' : ''}`));
}

/** Creates the menu, which is only shown if there are several archives. choose(value) is called with the new value. */
export function createSources(choose) {
  const menu = createPopup('All archives', 'source-menu');
  const input = el('input', { type: 'hidden', name: 'archive' });
  const element = el('span', { class: 'sources' }, input, menu.element);
  const all = el('button', { type: 'button', class: 'quiet', onclick: () => { menu.close(); menu.button.focus(); choose(''); } }, 'All archives');
  const boxes = () => [...menu.box.querySelectorAll('input')];
  const change = () => choose(valueOf(boxes().filter((box) => box.checked).map((box) => Number(box.value))));
  let listed = '';
  menu.box.setAttribute('role', 'group');
  menu.box.setAttribute('aria-label', 'Archives');
  loadSheet('filters/sources.css').catch(() => {});

  /* The boxes stay the same while the archives do, so that the focus stays. */
  function list() {
    const now = JSON.stringify(sources().map((one) => [one.number, one.name, one.games]));
    if (now !== listed) menu.box.replaceChildren(all, ...sources().map((one) => choice(one, change)));
    listed = now;
    element.hidden = sources().length < 2;
  }

  function set(value) {
    const numbers = numbersOf(value);
    list();
    input.value = value;
    menu.button.textContent = chosenInWords(value);
    menu.button.setAttribute('aria-label', `Archives: ${chosenInWords(value)}`);
    all.setAttribute('aria-pressed', String(value === ''));
    for (const box of boxes()) box.checked = numbers.includes(Number(box.value));
  }

  set('');
  return { element, set };
}
