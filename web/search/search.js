/* SPDX-License-Identifier: MIT */
// Search: a position or a part of one, material, a move, words of comments, sequences, pawn structures, paths, balances, or
// any condition as JSON. Games are shown in pages. The address contains the form's values and filters; `go` means that a
// search was started, and `sort` is the order of the games.

import { announce, el, notice } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { filterSuggestions } from '../filters/nearest_names.js';
import { createFilters, filtersOf } from '../filters/filters.js';
import { createFound } from '../lists/found.js';
import { createBalance, createPath } from './balance_form.js';
import { check, field, text } from './fields.js';
import { createPawns } from './pawn_form.js';
import { fromQuery, toQuery } from './query.js';
import { createPreview } from './query_preview.js';
import { createSaved } from './saved_form.js';
import { createSequence } from './sequence_form.js';
import { createSetup } from './setup.js';

const TEXTS = ['side', 'material', 'move', 'moment', 'comment', 'lasting', 'pawnsall', 'query'];
const FLAGS = ['shift', 'mirror', 'flipcolor', 'stepsflip', 'pawnsflip', 'pawnsmirror', 'pathflip', 'opposite', 'balanceflip', 'together'];
const OTHERS = ['sub', 'steps', 'gap', 'pawns', 'path', 'difference', 'balance']; // values of parts of the form

let parts = null;
let shown = {}; // parameters of the address

/* Earlier names of parameters, in saved addresses. */
const renamed = ({ stm, json, ...params }) => ({ ...(stm && { side: stm }), ...(json && { query: json }), ...params });

const valuesOf = (params) => Object.fromEntries([...OTHERS, ...TEXTS, ...FLAGS].filter((name) => params[name]).map((name) => [name, params[name]]));

/** Returns the parameters of a request. */
function asked(params) {
  const query = toQuery(valuesOf(params));
  return { ...filtersOf(params), query: Object.keys(query).length > 0 ? JSON.stringify(query) : '' };
}

// The elements below the board, outside of the form's element, also belong to the form.
function positionRules() {
  const turns = { '': 'either side', w: 'White', b: 'Black' };
  return el('div', { class: 'position-rules' },
    el('label', { class: 'aligned' }, 'To move', el('select', { name: 'side', form: 'search-form' }, ...Object.entries(turns).map(([value, words]) => el('option', { value }, words)))),
    el('fieldset', { class: 'field' }, el('legend', {}, 'The position set up also'),
      check('shift', 'elsewhere on the board'), check('mirror', 'files turned round'), check('flipcolor', 'colours exchanged')));
}

/* The groups of fields below the single fields. */
function groups() {
  const made = { sequence: createSequence(showQuery, () => parts.setup.get()), pawns: createPawns(showQuery), path: createPath(), balance: createBalance(showQuery) };
  return { ...made, elements: Object.values(made).map((one) => one.element) };
}

function form(made, preview, saved) {
  return el('form', { class: 'search-form', id: 'search-form' },
    saved,
    el('div', { class: 'fields' },
      field('Material', text('material', 'KRPKR'), 'White’s first; ? may be missing, * any number'),
      field('Move', text('move', 'Nxf7'), 'SAN or UCI'), field('Move number', text('moment', '10..20')),
      field('Text in comments', text('comment', 'novelty'))),
    el('div', { class: 'groups' }, ...made.elements),
    check('together', 'Sequence and path begin in the position that the other conditions describe'),
    el('details', { class: 'json group' }, el('summary', {}, 'The query as JSON, and further conditions'),
      field('Further conditions', el('textarea', { name: 'query', rows: '4', spellcheck: 'false', placeholder: '{"sequence": [{"move": "O-O"}, {"move": "O-O-O"}]}', onchange: absorb })),
      el('p', { class: 'hint json-state' }, ABOUT_JSON), preview.element),
    el('p', { class: 'submit' }, el('button', { class: 'primary' }, 'Search'), el('button', { type: 'reset', class: 'quiet' }, 'Clear all')));
}

const ABOUT_JSON = 'All rules of doc/reference/search.md. JSON that the form can show fills in its fields.';

function say(words) {
  parts.form.querySelector('.json-state').textContent = words || ABOUT_JSON;
}

/* Moves JSON that was typed to the fields, if the form has fields for the whole query. */
function absorb() {
  let words = '';
  try {
    const typed = parts.form.elements.query.value.trim();
    const values = typed && fromQuery(toQuery(read({})));
    if (values) write(values, true);
    words = !typed ? '' : values ? 'The fields show these conditions.' : 'This stays JSON: the form has no fields for some of its conditions.';
  } catch (error) {
    words = error.message;
  }
  say(words);
  if (words) announce(words);
  showQuery();
}

function read(filters) {
  const data = new FormData(parts.form);
  const values = Object.fromEntries(TEXTS.map((name) => [name, (data.get(name) ?? '').trim()]));
  for (const name of FLAGS) values[name] = data.has(name) ? '1' : '';
  const made = Object.assign({}, ...['sequence', 'pawns', 'path', 'balance'].map((name) => parts.groups[name].get()));
  return { sub: parts.setup.get(), ...values, ...made, ...filters, sort: shown.sort ?? '', go: '1' };
}

/* Returns the values with those of `query`, if the form has fields for it. */
function unfolded(params) {
  try {
    const values = params.query && fromQuery(toQuery(valuesOf(params)));
    return values ? { ...params, query: '', ...values } : params;
  } catch {
    return params; // invalid JSON: the search reports it
  }
}

function write(given, keepOpen = false) {
  const params = unfolded(given);
  parts.setup.set(params.sub);
  for (const input of parts.form.elements) {
    if (input.type === 'checkbox') input.checked = Boolean(params[input.name]);
    else if (input.name) input.value = params[input.name] ?? '';
  }
  for (const name of ['sequence', 'pawns', 'path', 'balance']) parts.groups[name].set(params);
  if (params.query || keepOpen) parts.form.querySelector('.json').open = true;
}

function showQuery() {
  try { parts.preview.show(toQuery(read({})), { ...parts.filters.values(), sort: shown.sort }); } catch (error) { parts.preview.fail(error.message); }
}

function load(params) {
  try {
    parts.found.start(asked(params), { offset: Number(params.offset) || 0, sort: params.sort ?? '' });
  } catch (error) {
    parts.found.clear(notice('error', error.message));
  }
}

/* Scrolls to the answers of a search that the user has started, if the form leaves no room for them. */
function showAnswers() {
  const started = parts.started;
  parts.started = false;
  if (started && parts.count.getBoundingClientRect().top > innerHeight - 200) parts.count.scrollIntoView({ block: 'start' });
}

function build(target) {
  let filters = {};
  const submit = () => { parts.started = true; go(format('search', read(filters))); };
  const box = createFilters((values) => { filters = values; submit(); });
  const rules = positionRules();
  rules.addEventListener('input', showQuery);
  const [made, preview] = [groups(), createPreview()];
  parts = { groups: made, preview, form: form(made, preview, createSaved(() => read(filters), () => filters.archive)), setup: createSetup(showQuery, (turn) => { parts.form.elements.side.value = turn; showQuery(); }),
    filters: { set(params) { filters = filtersOf(params); box.set(params); }, values: () => filters },
    found: createFound({ columns: ['opening', 'event', 'length', 'date'], saves: true, href: (change) => format('search', { ...shown, ...change }),
      none: () => filterSuggestions(filtersOf(shown), (values) => format('search', { ...shown, ...values, offset: '' })) }) };
  parts.count = el('div', { id: 'count' }, parts.found.head);
  parts.form.addEventListener('submit', (event) => { event.preventDefault(); submit(); });
  parts.form.addEventListener('reset', (event) => { event.preventDefault(); go('#/search'); });
  parts.form.addEventListener('input', showQuery);
  target.append(el('div', { class: 'look-for' }, el('h1', {}, 'Search'), parts.setup.element, rules),
    el('div', { class: 'answers' }, parts.form, box.element, parts.count,
      el('div', { id: 'results' }, parts.found.list, parts.found.foot)));
}

export const view = {
  title: 'Search',
  show(item, given, target) {
    const params = renamed(given);
    if (!parts) build(target);
    shown = params;
    write(params);
    say('');
    parts.filters.set(params);
    showQuery();
    parts.count.hidden = !params.go;
    if (params.go) { load(params); showAnswers(); return; }
    parts.found.clear(el('p', { class: 'hint' }, 'Set up pieces, fill in what you know, and search. Squares that stay blank may hold anything.'));
  },
  hide() {
    parts?.found.stop();
    parts = null;
  },
};
