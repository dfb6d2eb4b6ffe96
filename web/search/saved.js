/* SPDX-License-Identifier: MIT */
// Saved searches: the parameters of an address under a name, stored in the browser.

import { questionOf } from './query.js';

const KEY = 'searches';
const NAME_MAX = 80; // bytes, as in ARCHIVE.questions (doc/reference/search.md)

const isSearch = (one) => typeof one?.name === 'string' && typeof one.params === 'object' && one.params !== null
  && Object.values(one.params).every((value) => typeof value === 'string');

/** Returns the saved searches: {name, params}. */
export function saved() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]').filter(isSearch);
  } catch {
    return []; // no storage, or something else is stored there
  }
}

function store(searches) {
  try { localStorage.setItem(KEY, JSON.stringify(searches)); } catch { /* no storage: the search is lost */ }
}

/** Returns a name that a question may have: without quotes and \, at most 80 bytes. */
export function nameOf(text) {
  const bytes = new TextEncoder();
  let name = text.replace(/["\\\p{Cc}]/gu, '').trim();
  while (bytes.encode(name).length > NAME_MAX) name = [...name].slice(0, -1).join('').trim();
  return name || 'Search';
}

/** Saves the parameters of an address under a name. A search of the same name is replaced. Returns the name. */
export function save(text, params) {
  const { go, offset, archive, ...rest } = params; // numbers of archives depend on the server
  const name = nameOf(text);
  const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
  store([...saved().filter((one) => one.name !== name), { name, params: kept }]);
  return name;
}

/** Renames a search. Another search of the new name is replaced. Returns the name. */
export function rename(old, text) {
  const name = nameOf(text);
  store(saved().filter((one) => one.name === old || one.name !== name).map((one) => (one.name === old ? { ...one, name } : one)));
  return name;
}

export const remove = (name) => store(saved().filter((one) => one.name !== name));

/** Returns the searches as a file ARCHIVE.questions: one line for each name and its query. Searches whose JSON is invalid
 * are omitted. */
export function questionsFile(searches) {
  const lines = searches.flatMap(({ name, params }) => {
    try { return [`${JSON.stringify(name)}: ${JSON.stringify(questionOf(params))}`]; } catch { return []; }
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}
