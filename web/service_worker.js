/* SPDX-License-Identifier: MIT */
// The service worker of a page without a server (doc/reference/sites.md): keeps the files of the page, so that it opens without a
// network. `stamma site` writes the list of these files, FILES = {path: hash}, before this script. If a file changes, the
// browser installs the new script, which waits until the reader accepts it (install.js). The archives are no concern of
// this script: the module's worker keeps the parts that it has read.

const { FILES, registration } = self;
const PREFIX = `stamma-page ${registration.scope} `;

/* A name for these files. */
async function version() {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(FILES)));
  return PREFIX + [...new Uint8Array(hash)].slice(0, 8).map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const address = (path) => new URL(path, registration.scope).href;

async function install() {
  const cache = await caches.open(await version());
  await cache.addAll(Object.keys(FILES).map((path) => new Request(address(path), { cache: 'no-cache' })));
}

/* Deletes the files of earlier versions. */
async function activate() {
  const name = await version();
  const names = await caches.keys();
  await Promise.all(names.filter((one) => one.startsWith(PREFIX) && one !== name).map((one) => caches.delete(one)));
  await self.clients.claim();
}

async function kept(request) {
  const cache = await caches.open(await version());
  return cache.match(request, { ignoreSearch: true });
}

/* The list of archives comes from the network if there is one, because its addresses are those of the present files. */
async function answer(request) {
  if (request.url === address('site.json')) return fetch(request, { cache: 'no-cache' }).catch(() => kept(request));
  return await kept(request) ?? fetch(request);
}

const isOfPage = ({ method, url }) => method === 'GET' && Object.keys(FILES).some((path) => address(path) === url.split(/[?#]/)[0]);

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => { if (isOfPage(event.request)) event.respondWith(answer(event.request)); });
self.addEventListener('message', (event) => { if (event.data === 'use') self.skipWaiting(); });
