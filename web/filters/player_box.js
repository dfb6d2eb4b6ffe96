/* SPDX-License-Identifier: MIT */
// A field for the names of a player, with names that match the typed text: the ARIA pattern of a combobox with a list.
// Chosen names are buttons in the field, which remove them: a player may have several names and accounts.

import { announce, el } from '../base/dom.js';
import { players } from '../base/api.js';
import { count, games } from '../base/words.js';
import { isMarked, joinNames, playerInWords, splitNames } from './player_names.js';

const PAUSE = 120; // milliseconds without a key before names are requested
let boxes = 0;

/** Describes the ratings of a name: "2450–2790", or an empty text. */
export const ratings = (one) => (one.rating_max ? (one.rating_min === one.rating_max ? String(one.rating_max) : `${one.rating_min}–${one.rating_max}`) : '');

/** Returns the value of a filter that finds exactly the games of a row of /players. */
const valueOf = (one) => (one.person ? `@${one.person}` : `=${one.name}`);

function option(id, one, i) {
  return el('li', { id: `${id}-${i}`, role: 'option', 'aria-selected': 'false', 'data-value': valueOf(one), title: one.person ? `${one.name}: all spellings and accounts` : one.name },
    el('span', { class: 'name' }, one.name), el('small', { class: 'n' }, one.person ? 'person' : one.similar ? 'similar' : ratings(one)), el('small', { class: 'n' }, count(one.games), el('span', { class: 'unseen' }, one.games === 1 ? ' game' : ' games')));
}

const fields = new WeakMap(); // from the inputs of fields to {get, set}

/** Returns the value of an input, or of the field for a player that it is a part of. */
export const valueIn = (input) => (fields.has(input) ? fields.get(input).get() : input.value.trim());

/** Sets the value of an input, or of a field for a player. */
export function writeValue(input, value) {
  if (fields.has(input)) fields.get(input).set(value);
  else input.value = value;
}

const chosenName = (name, remove) => el('button', { type: 'button', class: 'chosen-name', 'data-value': name, title: 'Remove this name', 'aria-label': `Remove ${playerInWords(name)}`, onclick: remove },
  name[0] === '@' ? playerInWords(name) : name.slice(1));

/** Creates a field. options: name (of the input), label, placeholder, archive(), the number of the archive in which
 * names are looked for ('': all). The choice of a row of the list is a `change` of the input. The field then contains
 * exactly this name or person, besides the names chosen before. */
export function playerBox(options) {
  boxes += 1;
  const id = `names-${boxes}`;
  const list = el('ul', { id, class: 'names', role: 'listbox', 'aria-label': 'Players', hidden: true });
  const input = el('input', { id: `${id}-input`, name: options.name, type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: options.placeholder,
    role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': id });
  const box = el('div', { class: 'name-field' }, input);
  let chosen = []; // names that are exact, and persons
  let timer = 0;
  let request = null;
  let found = { text: null, names: [] };

  function activate(item) {
    list.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({ block: 'nearest' });
    if (item) input.setAttribute('aria-activedescendant', item.id);
    else input.removeAttribute('aria-activedescendant');
  }

  function close() {
    clearTimeout(timer);
    request?.abort();
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    activate(null);
  }

  const changed = () => input.dispatchEvent(new Event('change', { bubbles: true }));

  function drop(name) {
    chosen = chosen.filter((one) => one !== name);
    show();
    input.focus();
    changed();
  }

  function show() {
    for (const one of [...box.querySelectorAll('.chosen-name')]) one.remove();
    input.before(...chosen.map((name) => chosenName(name, () => drop(name))));
    input.placeholder = chosen.length > 0 ? 'another name' : options.placeholder ?? '';
  }

  function set(value) {
    const names = splitNames(value);
    if (joinNames(names.filter(isMarked)) !== joinNames(chosen)) {
      chosen = names.filter(isMarked);
      show();
    }
    input.value = names.find((name) => !isMarked(name)) ?? '';
  }

  function choose(value) {
    chosen = [...chosen.filter((one) => one !== value), value];
    input.value = '';
    show();
    close();
    input.focus();
    changed();
  }

  async function look() {
    const text = input.value;
    request?.abort();
    request = new AbortController();
    const answer = await players({ q: text, limit: 10, archive: options.archive?.() }, request.signal).catch(() => null);
    if (!answer || input.value !== text || document.activeElement !== input) return;
    found = { text, names: answer.players };
    list.replaceChildren(...answer.players.map((one, i) => option(id, one, i)));
    activate(null);
    list.hidden = answer.players.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    announce(answer.players[0]?.similar ? `No such player; similar: ${answer.players[0].name}` : answer.players.length > 0 ? `${answer.players.length} names; ${answer.players[0].name}, ${games(answer.players[0].games)}` : 'No such player');
  }

  function move(step) {
    if (list.hidden) { look(); return; }
    const items = [...list.children];
    const at = items.findIndex((item) => item.getAttribute('aria-selected') === 'true');
    activate(items[at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length]);
  }

  // Enter chooses the marked name. Without one, it chooses the best name, unless this name begins with the typed words.
  function enter(event) {
    const marked = list.querySelector('[aria-selected="true"]');
    const text = input.value.trim().toLowerCase();
    const begun = found.names[0]?.similar || found.names[0]?.name.toLowerCase().startsWith(text);
    if (marked) event.preventDefault();
    if (marked) choose(marked.dataset.value);
    else if (!list.hidden && found.text === input.value && !begun) choose(valueOf(found.names[0]));
    else close();
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    if (input.value.trim() === '') close();
    else timer = setTimeout(look, PAUSE);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') enter(event);
    else if (event.key === 'Backspace' && input.value === '' && chosen.length > 0) { event.preventDefault(); drop(chosen.at(-1)); }
    else if (event.key === 'Escape' && !list.hidden) { event.preventDefault(); close(); }
  });
  input.addEventListener('blur', close);
  list.addEventListener('mousedown', (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener('click', (event) => { const item = event.target.closest('[role="option"]'); if (item) choose(item.dataset.value); });
  box.addEventListener('click', (event) => { if (event.target === box) input.focus(); });
  fields.set(input, { set, get: () => joinNames([...splitNames(input.value.trim()), ...chosen]) });
  return el('div', { class: 'field player-box' }, el('label', { for: input.id }, el('span', {}, options.label)), box, list);
}

const COLOURS = [['', 'both'], ['white', 'White'], ['black', 'Black']];

/** Creates the choice of a player's colour: radio buttons with this name. The first value is chosen. */
export function colourChoice(name, legend, values = ['', 'white', 'black']) {
  return el('fieldset', { class: 'field colours' }, el('legend', {}, legend), el('span', { class: 'segments' },
    ...COLOURS.filter(([value]) => values.includes(value)).map(([value, label]) => el('label', {}, el('input', { type: 'radio', name, value, checked: value === values[0] }), el('span', {}, label)))));
}
