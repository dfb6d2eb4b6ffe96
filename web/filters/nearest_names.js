/* SPDX-License-Identifier: MIT */
// Suggestions for names of players without games: "No games of Karpow,A. Did you mean Karpov,A (522 games)?"

import { announce, el } from '../base/dom.js';
import { players } from '../base/api.js';
import { joinNames, nameIn, splitNames } from './player_names.js';
import { games } from '../base/words.js';

const SHOWN = 4;

const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the names to suggest instead of a name, from an answer of /players; none if the name has games. */
export function nearest(name, rows) {
  const wanted = folded(nameIn(name));
  const exact = name[0] === '=';
  const has = (row) => !row.similar && (exact ? folded(row.name) === wanted : folded(row.name).startsWith(wanted));
  return rows.some(has) ? [] : rows.slice(0, SHOWN);
}

function sentence(name, rows, link) {
  const one = (row) => el('a', { href: link(row.person ? `@${row.person}` : `=${row.name}`) }, row.name);
  return el('p', { class: 'nearest' }, `No games of ${nameIn(name)}. Did you mean `, ...rows.flatMap((row, i) => [i > 0 && ', ', one(row), ` (${games(row.games)})`]), '?');
}

async function fill(box, asked, archive, link) {
  for (const [field, value] of asked) {
    const names = splitNames(value);
    for (const name of names.filter((one) => !one.startsWith('@'))) {
      const answer = await players({ q: nameIn(name), limit: SHOWN, archive }).catch(() => null);
      const rows = nearest(name, answer?.players ?? []);
      if (rows.length > 0) box.append(sentence(name, rows, (chosen) => link(field, joinNames([...names.filter((other) => other !== name), chosen]))));
    }
  }
  if (box.firstChild) announce(box.textContent);
}

/** Creates the suggestions for an answer without games. `values`: filters; fields: the names of those that are players;
 * link(field, value), the address with another value. The suggestions arrive later, in a place that is reserved. */
export function suggestions(values, fields, link) {
  const asked = fields.filter((field) => values[field]).map((field) => [field, values[field]]);
  if (asked.length === 0) return null;
  const box = el('div', { class: 'nearest-names' });
  fill(box, asked, values.archive, link);
  return box;
}

/** Like suggestions(), for the filters of a view; address(filters), the address with other filters. */
export const filterSuggestions = (values, address) => suggestions(values, ['player', 'white', 'black'], (field, value) => address({ ...values, [field]: value }));
