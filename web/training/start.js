/* SPDX-License-Identifier: MIT */
// The first page of training: the repertoires of this browser, and forms that make new ones from the games of a player,
// from a PGN, or from an analysis.

import { el } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { report } from '../base/api.js';
import { stored as analyses, storedAs as analysisWith } from '../study/store.js';
import { fromPgn } from '../study/pgn.js';
import { createFilters, filtersOf, PLAYERS } from '../filters/filters.js';
import { colourChoice, playerBox, valueIn, writeValue } from '../filters/player_box.js';
import { nameIn } from '../filters/player_names.js';
import { cards, fromAnalysis, fromReport, merge, positions } from './lines.js';
import { summary } from './schedule.js';
import { bring, forget, fromFile, newId, store, stored, toFile } from './training_store.js';
import { count } from '../base/words.js';

const DEPTH = 20; // plies of a repertoire from games
const LEAST = 3; // games of its moves

const files = (text) => URL.createObjectURL(new Blob([text], { type: 'application/json' }));

/** Describes the state of a repertoire: "24 positions, 3 due, 5 new". */
export function inWords(entry) {
  const state = summary(cards(positions(entry)).map((one) => one.key), entry.cards, Date.now());
  return `${count(state.all)} ${state.all === 1 ? 'position' : 'positions'}, ${count(state.due)} due, ${count(state.fresh)} new`;
}

/** Stores a new repertoire and opens it. Returns a message if it has no move of the player. */
function create(name, repertoire) {
  if (cards(positions(repertoire)).length === 0) return 'There are no own moves.';
  const entry = { id: newId(), name: newName(name), ...repertoire, cards: {}, changed: Date.now() };
  store(entry);
  go(format('training', {}, entry.id));
  return '';
}

// ---- the list ----

function deleteButton(entry) {
  const button = el('button', { type: 'button', class: 'quiet', onclick: () => {
    const deleted = button.closest('li').classList.toggle('deleted');
    if (deleted) forget(entry.id); else store(entry);
    name(deleted);
  } });
  const name = (deleted) => {
    button.textContent = deleted ? 'Restore' : 'Delete';
    button.setAttribute('aria-label', `${button.textContent} ${entry.name}`);
  };
  name(false);
  return button;
}

const listed = (entries) => el('ul', { class: 'repertoires card-box' }, ...entries.map((entry) => el('li', {},
  el('a', { href: format('training', { tab: 'train' }, entry.id) }, entry.name), el('small', {}, `${entry.color === 'white' ? 'White' : 'Black'} · ${inWords(entry)}`), deleteButton(entry))));

/** Creates the links that save repertoires as a file and open one. refill() shows the list again. */
function saving(refill) {
  const message = el('p', { class: 'hint', role: 'status' });
  const input = el('input', { type: 'file', accept: '.json,application/json' });
  input.addEventListener('change', async () => {
    try {
      const found = fromFile(await input.files[0].text());
      message.textContent = `New or changed: ${bring(found)} of ${found.length}.`;
      refill();
    } catch (error) {
      message.textContent = error.message;
    }
    input.value = '';
  });
  const save = el('a', { class: 'button', href: '#', download: 'repertoires.json', onclick: (event) => { event.currentTarget.href = files(toFile(stored())); } }, 'Save all');
  return el('div', { class: 'links' }, save, el('label', { class: 'button open-repertoires' }, 'Open a file', input), message);
}

// ---- new ones ----

/** Returns a name that no repertoire has. */
function newName(name) {
  const names = stored().map((one) => one.name);
  let number = 1;
  while (names.includes(number > 1 ? `${name} ${number}` : name)) number += 1;
  return number > 1 ? `${name} ${number}` : name;
}

const nameField = () => el('label', { class: 'field' }, el('span', {}, 'Name'), el('input', { name: 'title', type: 'text', autocomplete: 'off', maxlength: 100, placeholder: 'made from the source' }));

const whichMoves = () => el('label', { class: 'field' }, el('span', {}, 'Own moves'), el('select', { name: 'which' }, el('option', { value: 'first' }, 'the most frequent, or first'), el('option', { value: 'all' }, 'all')));

function ready(form, make) {
  const message = el('p', { class: 'hint', role: 'alert' });
  form.append(message);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('[type="submit"]');
    message.textContent = '';
    button.disabled = true;
    try { message.textContent = await make(); } catch (error) { message.textContent = error.message; }
    button.disabled = false;
  });
  return form;
}

async function fromGames(form, filters) {
  const [player, color] = [valueIn(form.elements.player), form.elements.color.value];
  if (!player) return 'Choose a player.';
  const answer = await report({ player, color, min_games: form.elements.least.value, depth: DEPTH, ...filters });
  return create(form.elements.title.value.trim() || `${nameIn(player)}, ${color}`, fromReport(answer.repertoire[`as_${color}`].moves, color, form.elements.which.value === 'all'));
}

const gameFilters = (params) => Object.fromEntries(Object.entries(filtersOf(params)).filter(([name]) => !PLAYERS.includes(name)));

function gamesForm() {
  let filters = {};
  const form = el('form', { class: 'from-games' }, el('div', { class: 'player-form' }, playerBox({ name: 'player', label: 'Player', placeholder: 'Magnus Carlsen' }), colourChoice('color', 'Colour', ['white', 'black']),
    el('label', { class: 'field' }, el('span', {}, 'At least games'), el('input', { name: 'least', type: 'number', min: 1, max: 1000, value: LEAST, required: true })), whichMoves(), nameField(),
    el('button', { type: 'submit' }, 'Make repertoire')));
  const here = () => ({ player: valueIn(form.elements.player), color: form.elements.color.value });
  const bar = createFilters((values) => go(format('training', { ...here(), ...values })), false);
  return { element: el('section', {}, el('h2', {}, 'From games of a player'), ready(form, () => fromGames(form, filters)), bar.element),
    set(params) {
      filters = gameFilters(params);
      bar.set(filters);
      writeValue(form.elements.player, params.player ?? '');
      form.elements.color.value = params.color === 'black' ? 'black' : 'white';
    } };
}

/** Joins the games of a PGN that begin in the same position as the first one. */
function fromText(text, color, all) {
  const parsed = text.split(/\n(?=\[Event )/).map(fromPgn).filter(Boolean);
  const made = parsed.map(({ tree }) => fromAnalysis(tree, color, all));
  return { name: parsed[0]?.tags.Event?.replace(/^\?$/, ''), problem: parsed.find((one) => one.problems.length > 0)?.problems[0],
    repertoire: { ...fromAnalysis({ fen: made[0]?.fen, children: [] }, color, all), moves: made.filter((one) => one.fen === made[0].fen).reduce((moves, one) => merge(moves, one.moves), []) } };
}

function fromWritten(form) {
  const { text, analysis, color, which, title } = form.elements;
  const entry = analysis.value && analysisWith(analysis.value);
  const pgn = entry ? entry.pgn : text.value;
  if (!pgn.trim()) return 'Paste a PGN, or choose an analysis.';
  const { name, problem, repertoire } = fromText(pgn, color.value, which.value === 'all');
  if (!repertoire.fen) return 'This is not a PGN.';
  return create(title.value.trim() || `${entry?.title ?? (name || 'PGN')}, ${color.value}`, repertoire) || (problem ? `Lines end before ${problem}, which is not a legal move.` : '');
}

function acceptDrop(field) {
  field.addEventListener('dragover', (event) => event.preventDefault());
  field.addEventListener('drop', async (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    field.value = await event.dataTransfer.files[0].text();
  });
}

function textForm() {
  const text = el('textarea', { name: 'text', rows: 4, spellcheck: 'false', 'aria-label': 'PGN', placeholder: 'PGN: paste it, or drop a file here' });
  const analysis = el('select', { name: 'analysis' }, el('option', { value: '' }, 'none'), ...analyses().map((one) => el('option', { value: one.id }, one.title)));
  acceptDrop(text);
  const form = el('form', { class: 'from-text' }, text, el('div', { class: 'player-form' }, el('label', { class: 'field' }, el('span', {}, 'Analysis'), analysis),
    colourChoice('color', 'Colour', ['white', 'black']), whichMoves(), nameField(), el('button', { type: 'submit' }, 'Make repertoire')));
  return { element: el('section', {}, el('h2', {}, 'From a PGN or an analysis'), ready(form, () => fromWritten(form))), set(params) { if (params.analysis) analysis.value = params.analysis; } };
}

/** Creates the page: {elements, set(params)}. */
export function createStart() {
  const list = el('div', {});
  const refill = () => list.replaceChildren(...(stored().length > 0 ? [listed(stored())] : []));
  const [games, text] = [gamesForm(), textForm()];
  refill();
  return { elements: [el('p', { class: 'hint' }, 'Repertoires are stored in this browser. A session asks for your moves in their positions, and asks again after longer and longer times.'),
    list, saving(refill), games.element, text.element],
  set(params) { games.set(params); text.set(params); } };
}
