/* SPDX-License-Identifier: MIT */
// Search: a position or a part of one, material, a move, words of comments, or any condition as JSON. Games are shown
// in pages. The address contains the form's values and filters; `go` means that a search was started, and `sort` is the
// order of the games.

import { byId, el, notice } from '../base/dom.js';
import { questions } from '../base/api.js';
import { format, go } from '../base/address.js';
import { filterSuggestions } from '../filters/nearest_names.js';
import { createFilters, filtersOf } from '../filters/filters.js';
import { createFound } from '../lists/found.js';
import { toQuery } from '../base/pattern.js';
import { createSetup } from './setup.js';

const TEXTS = ['side', 'material', 'move', 'moment', 'comment', 'query'];
const FLAGS = ['shift', 'mirror', 'flipcolor'];

let parts = null;
let shown = {}; // parameters of the address

/* Earlier names of parameters, in saved addresses. */
const renamed = ({ stm, json, ...params }) => ({ ...(stm && { side: stm }), ...(json && { query: json }), ...params });

const valuesOf = (params) => Object.fromEntries(['sub', ...TEXTS, ...FLAGS].filter((name) => params[name]).map((name) => [name, params[name]]));

/** Returns the parameters of a request. */
function asked(params) {
  const query = toQuery(valuesOf(params));
  return { ...filtersOf(params), query: Object.keys(query).length > 0 ? JSON.stringify(query) : '' };
}

function field(label, input, hint = null) {
  return el('label', { class: 'field' }, el('span', {}, label), input, hint && el('small', {}, hint));
}

const text = (name, placeholder) => el('input', { name, type: 'text', placeholder, autocomplete: 'off', spellcheck: 'false' });
const check = (name, label) => el('label', { class: 'pill' }, el('input', { type: 'checkbox', name, value: '1', form: 'search-form' }), label);

// The elements below the board, outside of the form's element, also belong to the form.
function positionRules() {
  const turns = { '': 'either side', w: 'White', b: 'Black' };
  return el('div', { class: 'position-rules' },
    el('label', { class: 'aligned' }, 'To move', el('select', { name: 'side', form: 'search-form' }, ...Object.entries(turns).map(([value, words]) => el('option', { value }, words)))),
    el('fieldset', { class: 'field' }, el('legend', {}, 'The position set up also'),
      check('shift', 'elsewhere on the board'), check('mirror', 'files turned round'), check('flipcolor', 'colours exchanged')));
}

function form() {
  return el('form', { class: 'search-form', id: 'search-form' },
    el('div', { class: 'fields' },
      field('Material', text('material', 'KRPKR'), 'White’s first; ? may be missing, * any number'),
      field('Move', text('move', 'Nxf7'), 'SAN or UCI'), field('Move number', text('moment', '10..20')),
      field('Text in comments', text('comment', 'novelty'))),
    el('details', { class: 'json' }, el('summary', {}, 'Further conditions as JSON'),
      field('Conditions', el('textarea', { name: 'query', rows: '4', spellcheck: 'false', placeholder: '{"sequence": [{"move": "O-O"}, {"move": "O-O-O"}]}' })),
      el('p', { class: 'hint' }, 'All rules of doc/search.md. The whole query: ', el('code', { id: 'whole-query' }, '{}'))),
    el('p', { class: 'submit' }, el('button', { class: 'primary' }, 'Search'), el('button', { type: 'reset', class: 'quiet' }, 'Clear all')));
}

// Questions that `stamma find --save` has saved: a choice fills in the form and starts the search.
async function offerSaved(box) {
  const list = await questions().catch(() => []);
  if (list.length === 0) return;
  const several = new Set(list.map((one) => one.archive_number)).size > 1;
  const select = el('select', { id: 'saved-questions' }, el('option', { value: '' }, 'Choose'),
    ...list.map((one, i) => el('option', { value: String(i) }, several ? `${one.name} (archive ${one.archive_number + 1})` : one.name)));
  select.addEventListener('change', () => {
    const one = list[Number(select.value)];
    if (select.value !== '' && one) go(format('search', { query: JSON.stringify(one.query), archive: String(one.archive_number), go: '1' }));
  });
  box.append(el('label', { class: 'field' }, el('span', {}, 'Saved questions'), select));
}

function read(filters) {
  const data = new FormData(parts.form);
  const values = Object.fromEntries(TEXTS.map((name) => [name, (data.get(name) ?? '').trim()]));
  for (const name of FLAGS) values[name] = data.has(name) ? '1' : '';
  return { sub: parts.setup.get(), ...values, ...filters, sort: shown.sort ?? '', go: '1' };
}

function write(params) {
  parts.setup.set(params.sub);
  for (const input of parts.form.elements) {
    if (input.type === 'checkbox') input.checked = Boolean(params[input.name]);
    else if (input.name) input.value = params[input.name] ?? '';
  }
  if (params.query) parts.form.querySelector('.json').open = true;
}

function showQuery() {
  let whole;
  try { whole = JSON.stringify(toQuery(read({}))); } catch (error) { whole = error.message; }
  byId('whole-query').textContent = whole;
}

function load(params) {
  try {
    parts.found.start(asked(params), { offset: Number(params.offset) || 0, sort: params.sort ?? '' });
  } catch (error) {
    parts.found.clear(notice('error', error.message));
  }
}

function build(target) {
  let filters = {};
  const submit = () => go(format('search', read(filters)));
  const box = createFilters((values) => { filters = values; submit(); });
  const rules = positionRules();
  rules.addEventListener('input', showQuery);
  parts = { form: form(), setup: createSetup(showQuery, (turn) => { parts.form.elements.side.value = turn; showQuery(); }), filters: { set(params) { filters = filtersOf(params); box.set(params); } },
    found: createFound({ columns: ['opening', 'event', 'length', 'date'], saves: true, href: (change) => format('search', { ...shown, ...change }),
      none: () => filterSuggestions(filtersOf(shown), (values) => format('search', { ...shown, ...values, offset: '' })) }) };
  parts.count = el('div', { id: 'count' }, parts.found.head);
  parts.form.addEventListener('submit', (event) => { event.preventDefault(); submit(); });
  parts.form.addEventListener('reset', (event) => { event.preventDefault(); go('#/search'); });
  parts.form.addEventListener('input', showQuery);
  offerSaved(parts.form.querySelector('.fields'));
  target.append(el('div', { class: 'look-for' }, el('h1', {}, 'Search'), parts.setup.element, rules),
    el('div', { class: 'answers' }, parts.form, box.element, parts.count,
      el('div', { id: 'results' }, parts.found.list, parts.found.foot)));
}

export const view = {
  title: 'Search',
  show(item, given, target) {
    const params = renamed(given);
    if (!parts) build(target);
    write(params);
    parts.filters.set(params);
    showQuery();
    shown = params;
    parts.count.hidden = !params.go;
    if (params.go) { load(params); return; }
    parts.found.clear(el('p', { class: 'hint' }, 'Set up pieces, fill in what you know, and search. Squares that stay blank may hold anything.'));
  },
  hide() {
    parts?.found.stop();
    parts = null;
  },
};
