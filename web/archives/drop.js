/* SPDX-License-Identifier: MIT */
// Files that are chosen with the button of the header, or dropped anywhere on the page, except where the page uses them
// itself. A server that accepts uploads makes archives of them. Otherwise, the games of a PGN file are opened in Analysis.

import { announce, byId, el } from '../base/dom.js';
import { health, isLocal } from '../base/api.js';
import { bytes } from '../base/words.js';
import { openFile } from '../open_text.js';
import { loadView } from '../views.js';

/** The names of files that a server with uploads accepts. */
export const TYPES = '.pgn,.gz,.bz2,.xz,.zst,.zip,.stamma';

const MOST = 256000; // bytes of a PGN that is opened in Analysis

const carries = (event) => !event.defaultPrevented && event.dataTransfer?.types.includes('Files');

/** Opens a PGN file in Analysis. Throws an error if this is impossible. */
async function analyse(file) {
  const start = 'Start the server with --uploads and a folder to open it.';
  if (file.size > MOST) throw new Error(`${file.name} has ${bytes(file.size)}; without uploads, this page opens PGN files up to ${bytes(MOST)}. ${start}`);
  const text = await file.text();
  if (/[\0\uFFFD]/.test(text)) throw new Error(`${file.name} is not a text in UTF-8, or it is compressed. ${start}`);
  const said = await openFile(text, file.name);
  if (said === null) throw new Error(`${file.name} has no game.`);
  announce(said || `${file.name} is opened in Analysis`);
}

async function open(files) {
  const archives = await loadView('archives').then(() => import('./archives.js'));
  try {
    const { uploads } = await health();
    if (uploads) archives.openFiles(files, uploads);
    else await analyse(files[0]);
  } catch (error) {
    archives.complain(error.message);
  }
}

/** Says on the button of the header where it opens files. */
async function explain() {
  const button = byId('open-pgn');
  const { uploads } = await health().catch(() => ({ uploads: null }));
  if (isLocal()) button.title = 'Opens PGN files, also compressed ones, and archives; they stay on this computer';
  else button.title = uploads ? 'Opens PGN files: the server makes an archive of each, also of compressed files' : 'Opens the games of a PGN file in Analysis; they stay in this browser';
}

function acceptChosen() {
  const input = el('input', { type: 'file', id: 'open-pgn-file', hidden: true, multiple: true, accept: TYPES });
  const button = byId('open-pgn');
  input.addEventListener('change', () => { if (input.files.length > 0) open([...input.files]); input.value = ''; });
  document.body.append(input);
  button.addEventListener('click', () => input.click());
  for (const type of ['pointerenter', 'focus']) button.addEventListener(type, explain, { once: true });
}

function acceptDropped() {
  const veil = el('div', { id: 'drop-veil', hidden: true }, el('p', {}, 'Drop PGN files or archives to open them'));
  document.body.append(veil);
  window.addEventListener('dragover', (event) => {
    veil.hidden = !carries(event);
    if (!veil.hidden) event.preventDefault();
  });
  window.addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; });
  window.addEventListener('drop', (event) => {
    veil.hidden = true;
    if (!carries(event)) return;
    event.preventDefault();
    open([...event.dataTransfer.files]);
  });
}

/** Begins to accept files. */
export function acceptFiles() {
  acceptChosen();
  acceptDropped();
}
