/* SPDX-License-Identifier: MIT */
// Makes a page without a server usable without a network, and opens files that the system passes to it. Only this page
// has this script (doc/reference/sites.md). Everything else works without it: from files, in private windows, and on hosts without
// HTTPS, where browsers have no service workers.

import { message } from './base/message.js';

/* Opens files as if they were chosen with the button of the header. */
async function open(files) {
  const input = () => document.querySelector('#open-pgn-file');
  while (!input()) await new Promise((done) => { setTimeout(done, 50); });
  const chosen = new DataTransfer();
  files.forEach((file) => chosen.items.add(file));
  input().files = chosen.files;
  input().dispatchEvent(new Event('change'));
}

/* Offers a new version of the page, which is used after the reader has accepted it. */
function offer(worker) {
  const use = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    worker.postMessage('use');
  };
  message('There is a new version of this page.', { error: false, action: { label: 'Use it', act: use } });
}

function watch(registration) {
  const isUpdate = () => registration.waiting && navigator.serviceWorker.controller;
  if (isUpdate()) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing.addEventListener('statechange', () => { if (isUpdate()) offer(installing); });
  });
}

window.launchQueue?.setConsumer(async ({ files }) => {
  if (files.length > 0) open(await Promise.all(files.map((one) => one.getFile())));
});
// After the first view: the files of the page are then in the browser's cache.
window.addEventListener('load', () => navigator.serviceWorker?.register('service_worker.js', { updateViaCache: 'none' }).then(watch).catch(() => {}));
