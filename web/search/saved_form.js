/* SPDX-License-Identifier: MIT */
// The list of saved searches: those of the browser, which can be renamed and deleted, and the questions that `stamma find
// --save` has saved next to the archives.

import { announce, el } from '../base/dom.js';
import { archiveName } from '../base/sources.js';
import { format, go } from '../base/address.js';
import { questions } from '../base/api.js';
import { group } from './fields.js';
import { fromQuery } from './query.js';
import { questionsFile, remove, rename, save, saved } from './saved.js';

const run = (params) => go(format('search', { ...params, go: '1' }));

/* Returns the parameters of a question of an archive. */
const paramsOf = ({ query, archive_number: archive }) => ({ ...(fromQuery(query) ?? { query: JSON.stringify(query) }), archive: String(archive) });

function download(text) {
  const link = el('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/json' })), download: 'games.stamma.questions' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Creates the list. now() returns the parameters of the form, or throws an error if they are invalid; archive() returns the
 * chosen archive, in which saved searches are run. */
export function createSaved(now, archive) {
  const list = el('ul', { class: 'searches' });
  const box = group('Saved searches');
  let served = [];

  const own = (one) => {
    const row = el('li', {}, el('button', { type: 'button', class: 'search-name', onclick: () => run({ ...one.params, archive: archive() }) }, one.name),
      el('button', { type: 'button', class: 'quiet', 'aria-label': `Rename ${one.name}`, onclick: () => edit(row, one) }, 'Rename'),
      el('button', { type: 'button', class: 'quiet', 'aria-label': `Delete ${one.name}`, onclick: () => { remove(one.name); announce(`${one.name} is deleted`); fill(); name.focus(); } }, 'Delete'));
    return row;
  };
  const theirs = (one) => {
    const several = new Set(served.map((other) => other.archive_number)).size > 1;
    return el('li', { class: 'served' }, el('button', { type: 'button', class: 'search-name', onclick: () => run(paramsOf(one)) }, one.name),
      el('small', { class: 'hint' }, several ? `read only, of ${archiveName(one.archive_number)}` : 'read only, of the archive'));
  };
  const finish = (words, chosen) => {
    fill();
    announce(words);
    [...list.querySelectorAll('.search-name')].find((button) => button.textContent === chosen)?.focus();
  };

  function renamer(one) {
    const input = el('input', { type: 'text', value: one.name, 'aria-label': `New name of ${one.name}`, maxlength: 80, autocomplete: 'off' });
    const end = () => { const next = rename(one.name, input.value || one.name); finish(`${one.name} is now ${next}`, next); };
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') finish('', one.name);
      if (event.key === 'Enter') { event.preventDefault(); end(); }
    });
    return el('li', { class: 'renaming' }, input, el('button', { type: 'button', onclick: end }, 'Save'), el('button', { type: 'button', class: 'quiet', onclick: () => finish('', one.name) }, 'Cancel'));
  }

  function edit(row, one) {
    row.replaceWith(renamer(one));
    list.querySelector('.renaming input').select();
  }

  function fill() {
    const mine = saved();
    list.replaceChildren(...mine.map(own), ...served.map(theirs));
    list.hidden = mine.length + served.length === 0;
    exporter.hidden = mine.length === 0;
    box.say(mine.length + served.length > 0 ? String(mine.length + served.length) : '');
  }

  const name = el('input', { type: 'text', maxlength: 80, placeholder: 'Name', 'aria-label': 'Name of the search', autocomplete: 'off' });
  const keep = () => {
    let params;
    try { params = now(); } catch (error) { announce(error.message); return; }
    const chosen = save(name.value, params);
    name.value = '';
    finish(`${chosen} is saved`, chosen);
  };
  const keeper = el('button', { type: 'button', onclick: keep }, 'Save this search');
  const exporter = el('button', { type: 'button', class: 'quiet', onclick: () => download(questionsFile(saved())), title: 'A file for stamma find --use: ARCHIVE.questions' }, 'Export as questions');
  name.addEventListener('keydown', (event) => { if (event.key === 'Enter') { event.preventDefault(); keep(); } });
  box.element.id = 'saved-questions';
  box.element.append(list, el('p', { class: 'row' }, name, keeper, exporter));
  fill();
  questions().then((found) => { served = found; fill(); }).catch(() => {});
  return box.element;
}
