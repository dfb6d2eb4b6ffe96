/* SPDX-License-Identifier: MIT */
// Duplicates: pairs of games side by side, from the list that `stamma dedupe --dry-run --json` prints. Nothing is
// changed: the decisions are saved as a file for `stamma dedupe --decisions`.

import { announce, el, fillWhenThere, notice } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { archives, game as fetchGame } from '../base/api.js';
import { CHOICES, archiveOf, commonMoves, decisionsFile, parseDuplicates } from './decisions.js';
import { count, moveNumber, several } from '../base/words.js';

const PAGE = 10;
const BEFORE = 2; // equal moves shown before the first difference
const AFTER = 8;
const LABELS = { drop: 'remove the left game', swap: 'remove the right game', both: 'keep both' };
const ALWAYS = ['White', 'Black', 'Date', 'Result'];

// The list and the decisions remain until the page is loaded again.
let pairs = [];
let name = '';
let choices = new Map();
let parts = null;
let request = null;

/** Returns the moves of both games around the first difference. */
function movesOf(one, other) {
  const same = commonMoves(one.uci, other.uci);
  const from = Math.max(0, same - BEFORE);
  const words = one.san.slice(from, same + AFTER).flatMap((san, i) => {
    const ply = from + i + 1;
    const number = ply % 2 === 1 || i === 0 ? `${moveNumber(ply)} ` : '';
    return [number, el(ply > same ? 'mark' : 'span', {}, san), ' '];
  });
  if (one.san.length > same + AFTER) words.push('…');
  return [same > 0 && el('small', {}, `${several(same, 'equal ply', 'equal plies')}; `), ...words, same === one.san.length && el('small', {}, `ends after ply ${count(same)}`)];
}

function tagRows(games) {
  const names = [...new Set([...ALWAYS, ...games.flatMap((one) => Object.keys(one.tags))])];
  return names.filter((tag) => ALWAYS.includes(tag) || games[0].tags[tag] !== games[1].tags[tag]).map((tag) => {
    const differs = games[0].tags[tag] !== games[1].tags[tag];
    return el('tr', {}, el('th', { scope: 'row' }, tag), ...games.map((one) => el('td', {}, one.tags[tag] === undefined ? el('small', {}, 'none') : el(differs ? 'mark' : 'span', {}, one.tags[tag]))));
  });
}

function comparison(pair, served, games) {
  const sides = [pair.drop, pair.keep];
  const link = (side) => el('a', { href: format('game', { archive: served[side].number }, String(sides[side].number)) }, `${sides[side].archive} ${count(sides[side].number)}`);
  return el('table', {}, el('caption', { class: 'unseen' }, 'The two games'),
    el('thead', {}, el('tr', {}, el('td', {}), ...[0, 1].map((side) => el('th', { scope: 'col' }, link(side))))),
    el('tbody', {}, ...tagRows(games), el('tr', {}, el('th', { scope: 'row' }, 'Plies'), ...games.map((one) => el('td', {}, count(one.uci.length)))),
      el('tr', {}, el('th', { scope: 'row' }, 'Moves'), el('td', {}, ...movesOf(games[0], games[1])), el('td', {}, ...movesOf(games[1], games[0])))));
}

function showDecided() {
  parts.save.disabled = choices.size === 0;
  parts.decided.textContent = `${count(choices.size)} of ${several(pairs.length, 'pair')} decided`;
}

function chooser(n) {
  const radio = (choice) => el('label', { class: 'pill' }, el('input', { type: 'radio', name: `pair-${n}`, value: choice, checked: choices.get(n) === choice,
    onchange: () => { choices.set(n, choice); showDecided(); } }), LABELS[choice]);
  return el('fieldset', { class: 'field' }, el('legend', {}, 'Decision'), ...CHOICES.map(radio));
}

/** Shows a pair. Its games are requested. */
function card(n, list, signal) {
  const pair = pairs[n];
  const body = el('div', {});
  const served = [pair.drop, pair.keep].map((one) => archiveOf(one.archive, list));
  const missing = [pair.drop, pair.keep].find((one, side) => !served[side]);
  const load = () => fillWhenThere(body, Promise.all([pair.drop, pair.keep].map((one, side) => fetchGame(String(one.number), { archive: served[side].number }, signal))),
    (games) => comparison(pair, served, games), load);
  if (missing) body.append(notice('error', `${missing.archive} is not among the served archives.`));
  else load();
  return el('section', { class: 'pair-card' }, el('h2', {}, `${count(n + 1)} `, el('small', {}, pair.kind)), body, chooser(n));
}

function pages(offset) {
  const link = (to, label) => el('a', { class: 'button', href: format('duplicates', { offset: to || null }) }, label);
  return el('nav', { class: 'pages', 'aria-label': 'Pages of pairs' }, offset > 0 && link(Math.max(0, offset - PAGE), 'Back'),
    el('span', {}, `${count(offset + 1)}–${count(Math.min(offset + PAGE, pairs.length))} of ${count(pairs.length)}`), offset + PAGE < pairs.length && link(offset + PAGE, 'More'));
}

async function showPairs(offset) {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  showDecided();
  parts.saving.hidden = pairs.length === 0;
  if (pairs.length === 0) { parts.list.replaceChildren(...(name ? [notice('empty', `${name} lists no duplicates.`)] : [])); return; }
  await fillWhenThere(parts.list, archives(signal), (list) => {
    const numbers = [...pairs.keys()].slice(offset, offset + PAGE);
    announce(`Pairs ${offset + 1} to ${offset + numbers.length}`);
    return [...numbers.map((n) => card(n, list, signal)), pages(offset)];
  }, () => showPairs(offset));
}

async function open(file) {
  if (!file) return;
  try {
    pairs = parseDuplicates(await file.text());
    [name, choices] = [file.name, new Map()];
  } catch (error) {
    parts.list.replaceChildren(notice('error', error.message));
    return;
  }
  if (location.hash === '#/duplicates') showPairs(0);
  else go('#/duplicates');
}

function save() {
  const address = URL.createObjectURL(new Blob([decisionsFile(pairs, choices)], { type: 'text/csv' }));
  el('a', { href: address, download: 'decisions.csv' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function build(target) {
  const input = el('input', { type: 'file', accept: '.json,.jsonl,.txt', onchange: (event) => open(event.target.files[0]) });
  const drop = el('label', { class: 'drop' }, el('span', {}, 'List of duplicates; choose a file or drop it here'), input);
  drop.addEventListener('dragover', (event) => event.preventDefault());
  drop.addEventListener('drop', (event) => { event.preventDefault(); open(event.dataTransfer.files[0]); });
  parts = { list: el('div', { id: 'pairs' }), decided: el('span', {}), save: el('button', { type: 'button', class: 'primary', onclick: save }, 'Save decisions') };
  parts.saving = el('p', { class: 'links' }, parts.save, parts.decided);
  target.append(el('nav', { class: 'above', 'aria-label': 'Above this view' }, el('a', { href: '#/archives' }, '‹ Archives')), el('h1', {}, 'Duplicates'), el('p', { class: 'hint' }, 'Make the list with ', el('code', {}, 'stamma dedupe --dry-run --json ARCHIVE... >duplicates.json'),
    '. Nothing is changed here: ', el('code', {}, 'stamma dedupe --decisions decisions.csv -o OUT ARCHIVE...'), ' applies the decisions that you save.'),
  drop, parts.saving, parts.list);
}

export const view = {
  title: 'Duplicates',
  show(item, params, target) {
    if (!parts) build(target);
    showPairs(Math.max(0, Math.min(Number(params.offset) || 0, pairs.length - 1)));
  },
  hide() {
    request?.abort();
    parts = null;
  },
};
