/* SPDX-License-Identifier: MIT */
// Files that are dropped anywhere on the page, except where the page uses them itself. The view Archives opens them.

import { el } from '../base/dom.js';
import { loadView } from '../views.js';

const carries = (event) => !event.defaultPrevented && event.dataTransfer?.types.includes('Files');

async function open(files) {
  await loadView('archives');
  const archives = await import('./archives.js');
  archives.openFiles(files);
}

/** Begins to accept files. */
export function acceptFiles() {
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
