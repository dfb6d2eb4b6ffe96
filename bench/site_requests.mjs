#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Counts the requests and bytes that a static site needs in a browser: trees of the first 20 plies of 200 games, texts of
// games, and opening the site. The module and its sources are those of the browser; files are read instead of addresses.
//
// usage: site_requests.mjs SITE [ARCHIVE_NUMBER]    a folder that `stamma site` has written
import { openSync, readFileSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, number = '0'] = process.argv.slice(2);
const site = pathToFileURL(`${folder}/`).href;
const { Module } = await import(`${site}stamma/module.js`);
const { openSite } = await import(`${site}stamma/site.js`);

// ---- requests ----

let requests = []; // bytes of each
const files = new Map();

function bytesOf(address, offset, size) {
  if (!files.has(address)) files.set(address, openSync(new URL(address)));
  const bytes = new Uint8Array(size);
  for (let got = 0, n = 1; got < size && n > 0; got += n) n = readSync(files.get(address), bytes, got, size - got, offset + got);
  requests.push(size);
  return bytes;
}

function whole(address) {
  const bytes = new Uint8Array(readFileSync(new URL(address)));
  requests.push(bytes.length);
  return bytes;
}

const transport = {
  fetch: async (address, range) => (range ? { bytes: bytesOf(address, range[0], range[1] + 1 - range[0]), isWhole: false } : { bytes: whole(address), isWhole: true }),
  read: (address, offset, size) => (size ? bytesOf(address, offset, size) : whole(address)),
};

const compiled = await WebAssembly.compile(readFileSync(new URL(`${site}stamma/stamma.wasm`)));

/** Opens the site as a new visit. */
async function visit() {
  requests = [];
  const module = await Module.create(compiled);
  const archives = await openSite(`${site}site.json`, transport);
  for (const { name, file, ...more } of archives) module.add(name, file, more);
  const ask = (path, params) => {
    const pieces = [];
    let status = 0;
    status = module.answer(path, new URLSearchParams(params).toString(), { begin: (one) => { status = one; }, piece: (bytes) => { pieces.push(bytes); } });
    if (status !== 200) throw new Error(`${path} ${JSON.stringify(params)}: ${status} ${Buffer.concat(pieces)}`);
    return JSON.parse(Buffer.concat(pieces));
  };
  return { ask, archives };
}

// ---- the table ----

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const largest = (list) => list.reduce((a, b) => Math.max(a, b), 0);

function row(name, counts) {
  const [asked, bytes] = [counts.map((one) => one.length), counts.map((one) => one.reduce((a, b) => a + b, 0))];
  console.log(name.padEnd(44), String(counts.length).padStart(6), `${middle(asked)}, ${largest(asked)}`.padStart(10), `${middle(bytes)}, ${largest(bytes)}`.padStart(22));
}

/** Returns the requests of act(). */
function counted(act) {
  requests = [];
  const result = act();
  return [requests, result];
}

console.log(''.padEnd(44), '     n', '  requests', '                 bytes');
console.log(''.padEnd(44), '      ', ' mid, most', '             mid, most');
const first = await visit();
row('opening the site', [requests]);
const { games } = first.ask('/archives', {})[Number(number)];
const ids = Array.from({ length: 200 }, (_, i) => 1 + Math.floor((i + 0.5) * games / 200));
const costs = { game: [], tree: [], deep: [], list: [] };
for (const id of ids) {
  const { ask } = await visit();
  const [cost, game] = counted(() => ask(`/game/${id}`, { archive_number: number }));
  costs.game.push(cost);
  const line = game.uci.slice(0, 20);
  const params = (plies) => ({ play: line.slice(0, plies).join(','), archive_number: number, moves: 500, openings: 1 });
  for (let plies = 0; plies <= line.length; plies += 1) {
    costs.tree.push(counted(() => ask('/lichess', { ...params(plies), unnamed: 1 }))[0]);
    costs.list.push(counted(() => ask('/lichess', params(plies)))[0]);
  }
  const { ask: first } = await visit();
  costs.deep.push(counted(() => first('/lichess', { ...params(line.length), unnamed: 1 }))[0]);
}
row('a game', costs.game);
row('a tree, the moves are followed', costs.tree);
row('  the games below it', costs.list);
row('a tree of 20 plies at once', costs.deep);
