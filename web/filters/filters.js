/* SPDX-License-Identifier: MIT */
// Filters that select the games counted: the form, and its part of an address. Their names are the server's parameters.
// The archive is chosen in the line above the form.

import { el } from '../base/dom.js';
import { createBar } from './filter_bar.js';
import { FILTERS, filtersOf } from './filter_names.js';
import { colourChoice, playerBox, valueIn, writeValue } from './player_box.js';
import { playerInWords } from './player_names.js';

export { filtersOf };

const SPEEDS = ['ultraBullet', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'];
const RESULTS = [['', 'any'], ['1-0', '1–0 White won'], ['1/2-1/2', '½–½ drawn'], ['0-1', '0–1 Black won'], ['*', 'unfinished']];
const FLAGS = [['', 'any'], ...['favourite', 'deleted', ...'abcdefghijklmnopqrstuvwxyz'].map((flag) => [flag, flag])];

/** The filters that are about players. */
export const PLAYERS = ['player', 'color', 'white', 'black'];
const NAMES = ['player', 'white', 'black'];

/** Describes a filter in words, for the line above the answers. */
export function filterInWords(name, value) {
  const words = {
    player: 'player', color: 'with', white: 'White', black: 'Black', result: 'result', rating: 'rated', since: 'since', until: 'until', eco: 'ECO', opening: 'opening', event: 'event', flag: 'flag', archive: 'archive',
  };
  if (name === 'opening' && value.startsWith('=')) return `opening exactly ${value.slice(1)}`;
  if (NAMES.includes(name)) return value[0] === '@' && name === 'player' ? playerInWords(value) : `${words[name]} ${playerInWords(value)}`;
  return name === 'speeds' ? value.replace(/,/g, ', ') : `${words[name]} ${value.replace('..', '–')}`;
}

function field(label, input) {
  return el('label', { class: 'field' }, el('span', {}, label), input);
}

const text = (name, more = {}) => el('input', { name, type: 'text', autocomplete: 'off', spellcheck: 'false', ...more });

function select(name, options) {
  return el('select', { name }, ...options.map(([value, label]) => el('option', { value }, label)));
}

const DATE = { pattern: '\\d{4}(-\\d{2}){0,2}', placeholder: '2010 or 2010-05', title: 'a year, a month (2010-05) or a day (2010-05-31)', size: 10 };
const RATING = { type: 'number', min: '0', max: '4000', step: '1' };

const archive = () => document.querySelector('.sources [name=archive]')?.value;

const playerFields = () => [playerBox({ name: 'player', label: 'Player', placeholder: 'Magnus Carlsen', archive }), colourChoice('color', 'Colour of the player'),
  playerBox({ name: 'white', label: 'White', archive }), playerBox({ name: 'black', label: 'Black', archive })];

function fields(players) {
  return el('div', { class: 'fields' }, ...(players ? playerFields() : []),
    field('Result', select('result', RESULTS)),
    field('Opening (ECO)', text('eco', { placeholder: 'B90..B99' })), field('Opening (name)', text('opening', { placeholder: 'Najdorf' })),
    el('fieldset', { class: 'field pair' }, el('legend', {}, 'Mean rating'),
      el('input', { name: 'low', 'aria-label': 'Mean rating from', placeholder: 'from', ...RATING }), '–',
      el('input', { name: 'high', 'aria-label': 'Mean rating to', placeholder: 'to', ...RATING })),
    field('Since', text('since', DATE)), field('Until', text('until', DATE)),
    field('Event', text('event', { placeholder: '*Olympiad*' })), field('Flag', select('flag', FLAGS)),
    el('fieldset', { class: 'field speeds' }, el('legend', {}, 'Speed'),
      ...SPEEDS.map((speed) => el('label', { class: 'pill' }, el('input', { type: 'checkbox', name: 'speeds', value: speed }), speed.replace('B', ' b')))));
}

function read(form) {
  const data = new FormData(form);
  const [low, high] = [data.get('low'), data.get('high')];
  const values = Object.fromEntries(FILTERS.map((name) => [name, (data.get(name) ?? '').trim()]));
  values.rating = low || high ? `${low}..${high}` : '';
  values.speeds = data.getAll('speeds').join(',');
  for (const name of NAMES) if (form.elements[name]) values[name] = valueIn(form.elements[name]);
  if (!values.player) values.color = '';
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

function fieldsOf(values) {
  const [low = '', high = ''] = (values.rating ?? '').split('..');
  return { ...Object.fromEntries(FILTERS.map((name) => [name, ''])), ...values, low, high };
}

// Text being typed is kept, unless the address has changed the field.
function write(form, values, before) {
  const [all, was] = [fieldsOf(values), fieldsOf(before)];
  for (const input of [...form.elements]) {
    if (input.type === 'checkbox') input.checked = (values.speeds ?? '').split(',').includes(input.value);
    else if (input.type === 'radio') input.checked = input.value === all[input.name];
    else if (input.name && (input !== document.activeElement || all[input.name] !== was[input.name])) writeValue(input, all[input.name] ?? '');
  }
}

/** Creates the line with the active filters, and the form below it, which is hidden at first. onChange(values) is called
 * when a filter changes. `players`: whether there are fields for players. */
export function createFilters(onChange, players = true) {
  const form = el('form', { class: 'filters', id: 'filter-form', hidden: true }, fields(players), el('button', { type: 'reset', class: 'quiet' }, 'Clear filters'));
  const bar = createBar({ words: filterInWords, change: onChange, panel: form });
  let values = {};
  const source = () => (values.archive ? { archive: values.archive } : {});
  const changed = () => { if (form.reportValidity()) onChange({ ...read(form), ...source() }); };
  form.addEventListener('change', changed);
  form.addEventListener('submit', (event) => { event.preventDefault(); changed(); });
  form.addEventListener('reset', (event) => { event.preventDefault(); onChange(source()); });
  return {
    element: el('div', { class: 'filter-box' }, bar.element, form),
    set(params) {
      const before = values;
      values = filtersOf(params);
      write(form, values, before);
      bar.set(values);
    },
  };
}
