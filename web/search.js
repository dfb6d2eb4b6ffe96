// Search: a position or a part of one, material, a move, words of comments, or any condition as JSON. Games are shown
// in pages. The address contains the form's values and filters; `go` means that a search was started.

import { announce, byId, el, fillWhenThere, notice } from './dom.js';
import { format, go } from './address.js';
import { find } from './api.js';
import { createFilters, filtersOf } from './filters.js';
import { gamesTable, saveLinks } from './games.js';
import { toQuery } from './pattern.js';
import { createSetup } from './setup.js';
import { count, games, percent } from './words.js';

const PAGE = 20;
const TEXTS = ['stm', 'material', 'move', 'moment', 'comment', 'json'];
const FLAGS = ['shift', 'mirror', 'flipcolor'];

let parts = null;
let request = null;

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
    el('label', { class: 'aligned' }, 'To move', el('select', { name: 'stm', form: 'search-form' }, ...Object.entries(turns).map(([value, words]) => el('option', { value }, words)))),
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
      field('Conditions', el('textarea', { name: 'json', rows: '4', spellcheck: 'false', placeholder: '{"sequence": [{"move": "O-O"}, {"move": "O-O-O"}]}' })),
      el('p', { class: 'hint' }, 'All rules of doc/search.md. The whole query: ', el('code', { id: 'whole-query' }, '{}'))),
    el('p', { class: 'submit' }, el('button', { class: 'primary' }, 'Search'), el('button', { type: 'reset', class: 'quiet' }, 'Clear all')));
}

function read(filters) {
  const data = new FormData(parts.form);
  const values = Object.fromEntries(TEXTS.map((name) => [name, (data.get(name) ?? '').trim()]));
  for (const name of FLAGS) values[name] = data.has(name) ? '1' : '';
  return { sub: parts.setup.get(), ...values, ...filters, go: '1' };
}

function write(params) {
  parts.setup.set(params.sub);
  for (const input of parts.form.elements) {
    if (input.type === 'checkbox') input.checked = Boolean(params[input.name]);
    else if (input.name) input.value = params[input.name] ?? '';
  }
  if (params.json) parts.form.querySelector('.json').open = true;
}

function showQuery() {
  let whole;
  try { whole = JSON.stringify(toQuery(read({}))); } catch (error) { whole = error.message; }
  byId('whole-query').textContent = whole;
}

function pages(answer, params) {
  const link = (offset, label) => el('a', { class: 'button', href: format('search', { ...params, offset }) }, label);
  const [first, end] = [answer.offset + 1, answer.offset + answer.games.length];
  return el('nav', { class: 'pages', 'aria-label': 'Pages of games' }, answer.offset > 0 && link(Math.max(0, answer.offset - PAGE) || null, 'Back'),
    el('span', {}, `${count(first)}–${count(end)}`), answer.more && link(answer.next, 'More'));
}

function results(answer, params) {
  announce(answer.games.length > 0 ? `Games ${answer.offset + 1} to ${answer.offset + answer.games.length}` : 'No game found');
  if (answer.games.length === 0) return notice('empty', answer.offset > 0 ? 'No further game.' : 'No game was found.');
  return [gamesTable(answer.games, { columns: ['opening', 'event', 'length', 'date'], caption: 'Games found' }), pages(answer, params)];
}

function summary(answer, query) {
  const share = (n) => percent(n, answer.count);
  return answer.count ? [el('h2', {}, games(answer.count)), el('p', { class: 'summary' }, `White ${share(answer.white)} · drawn ${share(answer.draws)} · Black ${share(answer.black)}`),
    el('p', { class: 'links' }, ...saveLinks(query, answer.count))] : [];
}

function load(params) {
  request?.abort();
  request = new AbortController();
  let query;
  try {
    query = asked(params);
  } catch (error) {
    parts.results.replaceChildren(notice('error', error.message));
    return;
  }
  fillWhenThere(parts.results, find({ ...query, offset: params.offset ?? 0, limit: PAGE }, request.signal), (answer) => results(answer, params), () => load(params));
  find({ ...query, count: 1 }, request.signal).then((answer) => parts?.count.replaceChildren(...summary(answer, query)), () => {});
}

function build(target) {
  let filters = {};
  const submit = () => go(format('search', read(filters)));
  const box = createFilters((values) => { filters = values; submit(); });
  const rules = positionRules();
  rules.addEventListener('input', showQuery);
  parts = { form: form(), setup: createSetup(showQuery, (turn) => { parts.form.elements.stm.value = turn; showQuery(); }), filters: { set(params) { filters = filtersOf(params); box.set(params); } },
    count: el('div', { id: 'count', class: 'heading' }), results: el('div', { id: 'results' }) };
  parts.form.addEventListener('submit', (event) => { event.preventDefault(); submit(); });
  parts.form.addEventListener('reset', (event) => { event.preventDefault(); go('#/search'); });
  parts.form.addEventListener('input', showQuery);
  target.append(el('div', { class: 'look-for' }, el('h1', {}, 'Search'), parts.setup.element, rules),
    el('div', { class: 'answers' }, parts.form, box.element, parts.count, parts.results));
}

export const search = {
  title: 'Search',
  show(item, params, target) {
    if (!parts) build(target);
    write(params);
    parts.filters.set(params);
    showQuery();
    parts.count.replaceChildren();
    if (params.go) { load(params); return; }
    parts.results.replaceChildren(el('p', { class: 'hint' }, 'Set up pieces, fill in what you know, and search. Squares that stay blank may hold anything.'));
  },
  hide() {
    request?.abort();
    parts = null;
  },
};
