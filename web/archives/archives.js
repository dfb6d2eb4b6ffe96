/* SPDX-License-Identifier: MIT */
// Archives: the archives that the server has, files that are opened, and how to begin if there is no archive.

import { announce, byId, el, fillWhenThere, notice } from '../base/dom.js';
import { format, go, parse } from '../base/address.js';
import { closeUpload, file, health, isLocal } from '../base/api.js';
import { loadSources } from '../base/sources.js';
import { TYPES } from './drop.js';
import { current, dismiss, failures, upload, waiting, watch } from './upload.js';
import { bytes, count, games, several } from '../base/words.js';

let parts = null;
let request = null;
let remarks = []; // answers of uploads with messages, until they are dismissed
let complaint = ''; // why files were not opened, until others are

const code = (text) => el('pre', {}, el('code', {}, text));
const button = (label, act, attributes = {}) => el('button', { type: 'button', onclick: act, ...attributes }, label);

/** Describes how to make an archive and serve it. */
function steps(accepts) {
  return el('ol', { class: 'steps' },
    el('li', {}, el('h2', {}, 'Pack games'), el('p', {}, 'An archive contains the games of a PGN file, and restores the file byte for byte. Compressed files (zip, gzip, bzip2, xz, zstd) can be packed as they are.'),
      code('stamma pack games.pgn -o games.stamma')),
    el('li', {}, el('h2', {}, 'Index the archive'), el('p', {}, 'With an index, the moves of every position are found in milliseconds, however many games there are.'),
      code('stamma index games.stamma')),
    el('li', {}, el('h2', {}, 'Serve the archive'), el('p', {}, 'Several archives can be served together. ', el('code', {}, '--open'), ' opens this page.'),
      code('stamma serve games.stamma --open')),
    !accepts && el('li', {}, el('h2', {}, 'Or drop files here'), el('p', {}, 'With ', el('code', {}, '--uploads'), ' and an existing folder, PGN files can be dropped on this page.'),
      code('stamma serve --uploads /tmp --open')));
}

// ---- the list ----

async function close(one, target) {
  target.disabled = true;
  try {
    await closeUpload(one.number);
    announce(`${one.name} is closed`);
    remarks = remarks.filter((answer) => answer.number !== one.number);
    showRemarks();
    load();
  } catch (error) {
    parts?.error.replaceChildren(notice('error', error.message));
    target.disabled = false;
  }
}

const where = () => (isLocal() ? 'in this page' : 'on the server');

/** Asks before an archive is closed, because it is then deleted. */
function askToClose(one, cell) {
  const before = [...cell.childNodes];
  const back = () => { cell.replaceChildren(...before); before.at(-1).focus(); };
  const keep = button('Keep', back, { 'aria-label': `Keep ${one.name}` });
  cell.replaceChildren(el('span', { class: 'ask' }, 'Delete it?'), button('Delete', (event) => close(one, event.currentTarget), { 'aria-label': `Delete ${one.name} ${where()}` }), keep);
  cell.onkeydown = (event) => { if (event.key === 'Escape' && keep.isConnected) back(); };
  keep.focus();
  announce(`Delete ${one.name} ${where()}? Your file stays.`);
}

function actions(one) {
  return el('td', { class: 'actions' }, one.uploaded && el('a', { class: 'button', href: file(`uploads/${one.number}`), download: '', 'aria-label': `Save ${one.name} as an archive` }, 'Save'),
    one.uploaded && button('Close', (event) => askToClose(one, event.currentTarget.closest('td')), { 'aria-label': `Close ${one.name}`, title: `Deletes the archive ${where()}; your file stays` }));
}

function row(one, acts) {
  const link = el('a', { href: format('explore', { archive: one.number }) }, one.name);
  return el('tr', {}, el('th', { scope: 'row', class: 'name' }, link), el('td', { class: 'n' }, count(one.games)), el('td', { class: 'n plies' }, count(one.plies)),
    el('td', { class: 'n size' }, bytes(one.archive_size)), el('td', { class: 'index' }, one.index ?? 'none'), acts && actions(one));
}

function table(list) {
  const acts = list.some((one) => one.uploaded);
  const head = [['Archive'], ['Games', 'n'], ['Plies', 'n plies'], ['Size', 'n size'], ['Index', 'index']].map(([label, name]) => el('th', { scope: 'col', class: name }, label));
  return el('table', { class: 'archives-table' }, el('caption', { class: 'unseen' }, 'Served archives'),
    el('thead', {}, el('tr', {}, ...head, acts && el('td', {}))), el('tbody', {}, ...list.map((one) => row(one, acts))));
}

const archivesInWords = (n) => (n === 1 ? 'one archive' : several(n, 'archive'));

/** The link to the view below this one. */
const more = () => el('nav', { class: 'links archives-links', 'aria-label': 'More about archives' }, el('a', { href: '#/duplicates' }, 'Duplicates'), el('span', { class: 'hint' }, 'Compare the pairs of games that stamma dedupe lists, and decide which to keep.'),
  el('a', { class: 'narrowest-link', href: '#/statistics' }, 'Statistics'), el('a', { class: 'narrow-link', href: '#/encodings' }, 'Encodings'));

function overview(list, { uploads }) {
  const all = list.reduce((sum, one) => sum + one.games, 0);
  announce(list.length === 0 ? 'No archive is served' : archivesInWords(list.length));
  parts.open.replaceChildren(...(uploads ? chooser(uploads) : []));
  if (isLocal() && list.length === 0) {
    parts.heading.replaceChildren(el('h1', {}, 'How to begin'), el('p', { class: 'summary' }, 'Open the games of a PGN file, or an archive. They stay on this computer.'));
    return [];
  }
  if (list.length === 0) {
    parts.heading.replaceChildren(el('h1', {}, 'How to begin'), el('p', { class: 'summary' }, 'The server runs, but it has no games yet.'));
    return [uploads && el('p', { class: 'hint' }, 'Or make an archive with the command, and serve it:'), steps(uploads)];
  }
  parts.heading.replaceChildren(el('h1', {}, 'Archives'), el('p', { class: 'summary' }, `${games(all)} in ${archivesInWords(list.length)}`));
  return [table(list), !isLocal() && el('details', {}, el('summary', {}, 'How to serve other games'), steps(uploads)), more()];
}

function load() {
  if (!parts) return;
  request?.abort();
  request = new AbortController();
  const answers = Promise.all([health(request.signal), loadSources()]);
  fillWhenThere(parts.list, answers, ([state, list]) => overview(list ?? [], state).filter(Boolean), load);
}

// ---- files ----

function chooser(limits) {
  const input = el('input', { type: 'file', accept: TYPES, multiple: true, class: 'unseen', onchange: () => { upload([...input.files], limits); input.value = ''; } });
  return [el('label', { class: 'drop open-file' }, input, el('span', { class: 'button primary', 'aria-hidden': 'true' }, 'Open a PGN file'), el('span', { class: 'unseen' }, 'Open a PGN file'),
    el('span', { class: 'hint' }, `or drop it anywhere on this page, also compressed files and archives, up to ${bytes(limits.limit)}. ${isLocal() ? 'The games stay on this computer, until you close this page. Save them as an archive to open them again later.' : 'The server keeps the games until you close them, or until it ends.'}`))];
}

/** Opens files, and shows this view. `limits` is "uploads" of /health. */
export function openFiles(files, limits) {
  go('#/archives');
  complaint = '';
  upload(files, limits);
}

/** Reports in this view why files cannot be opened. */
export function complain(message) {
  complaint = message;
  go('#/archives');
  showJob();
}

/** Shows the upload that is running. Its elements stay the same, so that the focus stays. */
function createProgress() {
  const name = el('strong', {});
  const text = el('span', { class: 'hint' });
  const bar = el('progress', { max: '1', 'aria-label': 'Progress' });
  const cancel = button('Cancel', () => current()?.cancel());
  const element = el('div', { class: 'upload', hidden: true }, el('div', { class: 'upload-head' }, el('span', {}, name, text), cancel), bar);
  function update(job) {
    const packing = job.phase === 'packing';
    const share = job.size ? job.sent / job.size : 0;
    const others = waiting() > 0 ? `; ${count(waiting())} more` : '';
    name.textContent = job.name;
    text.textContent = packing ? `writing the index …${others}` : `${Math.floor(100 * share)} % of ${bytes(job.size)} packed${others}`;
    if (packing) bar.removeAttribute('value');
    else bar.value = share;
  }
  return { element, update };
}

function showJob() {
  const job = current();
  byId('archives-link').classList.toggle('busy', Boolean(job));
  if (!parts) return;
  parts.progress.element.hidden = !job;
  if (job) parts.progress.update(job);
  parts.error.replaceChildren(...(complaint ? [notice('error', complaint)] : []), ...failures().map(failure));
}

function failure(one) {
  return el('div', { class: 'notice error upload-error', role: 'alert' }, el('p', {}, el('strong', {}, one.name), ' cannot be opened: ', one.error), button('Dismiss', () => dismiss(one), { class: 'quiet' }));
}

/** Shows the messages of packing. They are the same as those that `stamma pack` prints: line, game and reason. */
function remark(answer) {
  const away = () => { remarks = remarks.filter((one) => one !== answer); showRemarks(); };
  return el('section', { class: 'upload', 'aria-label': `Messages about ${answer.name}` },
    el('div', { class: 'upload-head' }, el('span', {}, el('strong', {}, answer.name), el('span', { class: 'hint' }, `${games(answer.games)}. Some differ from the rules of chess or of PGN; nothing is lost.`))),
    el('ul', { class: 'messages' }, ...answer.messages.map((text) => el('li', {}, text))),
    el('div', { class: 'links' }, el('a', { class: 'button', href: format('explore', { archive: answer.number }) }, 'Explore these games'), button('Dismiss', away, { class: 'quiet' })));
}

function showRemarks() {
  parts?.remarks.replaceChildren(...remarks.map(remark));
}

async function made(answer, more) {
  const messages = answer.messages.slice(0, -1); // without the summary
  announce(`${answer.name}: ${games(answer.games)}`);
  if (messages.length > 0) remarks.push({ ...answer, messages });
  const here = parts && parse(location.hash).view === 'archives';
  if (here && !more && remarks.length === 0 && failures().length === 0) {
    await loadSources();
    go(format('explore', { archive: answer.number }));
    return;
  }
  showRemarks();
  load();
}

watch(showJob, made);

function build(target) {
  parts = { heading: el('div', { class: 'heading' }, el('h1', {}, '\u00a0'), el('p', { class: 'summary' }, '\u00a0')), open: el('div', {}), error: el('div', {}), progress: createProgress(), remarks: el('div', {}), list: el('div', { class: 'stack' }) };
  target.append(el('div', { class: 'archives-list stack' }, parts.heading, parts.open, parts.error, parts.progress.element, parts.remarks, parts.list));
}

export const view = {
  title: 'Archives',
  show(item, params, target) {
    if (!parts) build(target);
    showJob();
    showRemarks();
    load();
  },
  hide() {
    request?.abort();
    parts = null;
    complaint = '';
  },
};
