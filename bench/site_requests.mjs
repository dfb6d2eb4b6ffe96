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
const { openSite, readAhead } = await import(`${site}stamma/site.js`);

// ---- requests ----

let requests = []; // bytes of each
let waits = 0;    // requests one after another: those that are sent together count once
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
  read: (address, offset, size) => { waits += 1; return size ? bytesOf(address, offset, size) : whole(address); },
};

const compiled = await WebAssembly.compile(readFileSync(new URL(`${site}stamma/stamma.wasm`)));

/** Opens the site as a new visit. */
async function visit() {
  requests = [];
  const module = await Module.create(compiled);
  const archives = await openSite(`${site}site.json`, transport);
  for (const { name, file, ...more } of archives) module.add(name, file, more);
  const ask = async (path, params) => {
    const [pieces, query, before] = [[], new URLSearchParams(params).toString(), requests.length];
    if (path === '/lichess') await readAhead(module.parts(query), archives);
    waits += requests.length > before ? 1 : 0;
    const status = module.answer(path, query, { begin() {}, piece: (bytes) => { pieces.push(bytes); } });
    if (status !== 200) throw new Error(`${path} ${query}: ${status} ${Buffer.concat(pieces)}`);
    return JSON.parse(Buffer.concat(pieces));
  };
  return { ask };
}

// ---- the table ----

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const largest = (list) => list.reduce((a, b) => Math.max(a, b), 0);

const cell = (list, width) => `${middle(list)}, ${largest(list)}`.padStart(width);

function row(name, counts) {
  const bytes = counts.map((one) => one.requests.reduce((a, b) => a + b, 0));
  console.log(name.padEnd(36), String(counts.length).padStart(6), cell(counts.map((one) => one.requests.length), 10), cell(counts.map((one) => one.waits), 10), cell(bytes, 18));
}

/** Adds the requests of act() to a list. Returns its result. */
async function count(list, act) {
  [requests, waits] = [[], 0];
  const result = await act();
  list.push({ requests, waits });
  return result;
}

console.log(''.padEnd(36), '     n', '  requests', ' in a row', '             bytes');
console.log(''.padEnd(36), '      ', ' mid, most', 'mid, most', '         mid, most');
const costs = { open: [], game: [], tree: [], deep: [], list: [] };
const first = await count(costs.open, visit);
costs.open[0].waits += 3; // the list of archives; the end of the archive and the beginnings of index and pages; the rest
row('opening the site', costs.open);
const { games } = (await first.ask('/archives', {}))[Number(number)];
for (let n = 0; n < 200; n += 1) {
  const { ask } = await visit();
  const id = 1 + Math.floor((n + 0.5) * games / 200);
  const game = await count(costs.game, () => ask(`/game/${id}`, { archive_number: number }));
  const line = game.uci.slice(0, 20);
  const params = (plies) => ({ play: line.slice(0, plies).join(','), archive_number: number, moves: 500, openings: 1 });
  for (let plies = 0; plies <= line.length; plies += 1) {
    await count(costs.tree, () => ask('/lichess', { ...params(plies), unnamed: 1 }));
    await count(costs.list, () => ask('/lichess', params(plies)));
  }
  const other = await visit();
  await count(costs.deep, () => other.ask('/lichess', { ...params(line.length), unnamed: 1 }));
}
row('a game', costs.game);
row('a tree, the moves are followed', costs.tree);
row('  the names of the games below it', costs.list);
row('a tree of 20 plies at once', costs.deep);
