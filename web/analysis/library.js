/* SPDX-License-Identifier: MIT */
// The list of all analyses by folder: #/analysis/all, and one folder: #/analysis/all?folder=NAME. Folders are renamed here,
// saved as one PGN file, and opened from such files.

import { announce, el, shown } from '../base/dom.js';
import { format, go } from '../base/address.js';
import { message } from '../base/message.js';
import { bytes, count } from '../base/words.js';
import { exported, renameFolder } from '../study/entries.js';
import { deleted, forget, stored, unstored, watchStore } from '../study/store.js';
import { entryList } from './entry_list.js';
import { saveLink } from './outputs.js';
import { listAddress, openGames } from './paste.js';

const FILE = 4e6; // bytes: browsers store about 5 MB

const analyses = (n) => `${count(n)} ${n === 1 ? 'analysis' : 'analyses'}`;
const fileName = (folder) => `${folder.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'analyses'}.pgn`;

/* Returns the folders with their analyses, in the order of their names; at last, those without a folder. */
function byFolder(entries) {
  const folders = new Map();
  for (const entry of entries) folders.set(entry.folder ?? '', [...(folders.get(entry.folder ?? '') ?? []), entry]);
  return [...folders].sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : a.localeCompare(b)));
}

async function readFiles(files) {
  for (const file of files) {
    if (file.size > FILE) {
      message(`${file.name} has ${bytes(file.size)}, more than a browser stores. Open it as an archive instead.`, { error: true });
      continue;
    }
    const text = await file.text();
    const said = openGames(text, file.name.replace(/\.[^.]*$/, ''));
    message(said ?? `${file.name} contains no game.`, { error: said === null });
  }
}

function opener() {
  const input = el('input', { type: 'file', accept: '.pgn,.txt', multiple: true, class: 'unseen', id: 'analysis-file', onchange: () => { readFiles([...input.files]); input.value = ''; } });
  return [input, el('label', { class: 'button', for: 'analysis-file' }, 'Open PGN file')];
}

function renameForm(folder, done) {
  const input = el('input', { 'aria-label': `New name of ${folder}`, value: folder, autocomplete: 'off' });
  const form = el('form', { class: 'rename', hidden: true }, input, el('button', { type: 'submit' }, 'Rename'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = input.value.replace(/\s+/g, ' ').trim();
    renameFolder(folder, name);
    announce(`The folder is now ${name || 'removed'}`);
    done(name);
  });
  const button = el('button', { type: 'button', class: 'quiet', 'aria-label': `Rename ${folder}`, onclick: () => { form.hidden = !form.hidden; if (!form.hidden) input.select(); } }, 'Rename');
  return [button, form];
}

function section(folder, entries, alone, renamed) {
  const name = folder || 'Without a folder';
  const heading = alone ? null : el('h2', {}, folder ? el('a', { href: listAddress(folder) }, name) : name);
  const rename = folder ? renameForm(folder, renamed) : [];
  return el('section', { class: 'folder', 'aria-label': name }, el('div', { class: 'folder-head' }, heading, el('small', {}, analyses(entries.length)), rename[0],
    saveLink('Save PGN', fileName(folder), () => exported(entries))), rename[1], entryList(entries));
}

function trash(draw) {
  const entries = deleted();
  if (entries.length === 0) return null;
  const remove = (entry) => [el('button', { type: 'button', class: 'quiet', 'aria-label': `Delete ${entry.title} for good`, onclick: () => { forget(entry.id); draw(); } }, 'Delete for good')];
  return el('details', { class: 'trash' }, el('summary', {}, `Deleted (${entries.length})`), el('p', { class: 'hint' }, 'Deleted analyses are kept for a month.'), entryList(entries, remove));
}

function summary(entries) {
  const size = entries.reduce((sum, entry) => sum + entry.pgn.length + (entry.source?.length ?? 0), 0);
  const lost = unstored();
  return `${analyses(entries.length)}, ${bytes(size)} in this browser${lost > 0 ? `; ${analyses(lost)} only until the page is closed, because the browser’s storage is full or disabled` : ''}`;
}

/** Shows the list in `target`. */
export function library(params, target) {
  const folder = params.folder ?? '';
  const body = el('div', { class: 'library' });
  function draw() {
    const all = stored();
    const folders = byFolder(all).filter(([name]) => folder === '' || name === folder);
    const renamed = (name) => (folder === '' ? draw() : go(listAddress(name)));
    body.replaceChildren(el('div', { class: 'heading' }, el('h1', {}, folder || 'Analyses'), el('p', { class: 'summary' }, summary(folders.flatMap(([, entries]) => entries)))),
      el('p', { class: 'links' }, el('a', { class: 'button', href: format('analysis', { new: 1 }) }, 'New analysis'), ...opener(), folder ? el('a', { class: 'button', href: listAddress() }, 'All analyses')
        : all.length > 0 && saveLink('Save all as PGN', 'analyses.pgn', () => exported(folders.flatMap(([, entries]) => entries)))),
      ...folders.map(([name, entries]) => section(name, entries, folder !== '' || folders.length === 1, renamed)),
      folders.length === 0 ? el('p', { class: 'hint' }, folder ? 'This folder is empty.' : 'Analyses appear here. Play moves in Analysis or in a game, or paste a PGN in any view.') : '', trash(draw) ?? '');
    document.title = shown(`${folder || 'Analyses'} – Stamma`);
  }
  draw();
  target.replaceChildren(body);
  announce(folder || 'Analyses');
  const stop = watchStore(() => {
    if (!body.isConnected) stop();
    else if (!body.querySelector('.rename:not([hidden])')) draw();
  });
}
