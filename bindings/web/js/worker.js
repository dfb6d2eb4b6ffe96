/* SPDX-License-Identifier: MIT */
// Answers the requests of the page in a worker, without a server. stamma.wasm and stamma.weights are in the folder of
// this file. web/base/worker_supplier.js sends these messages:
//
//   {open: {site, made}}              first; `site` is the address of a file (below) or null; `made` are archives that an
//                                     earlier worker made: {name, file, index} with Blobs, or null for a closed one
//   {id, method, path, query, body}   a request, as of doc/reference/serve.md; `body` is a Blob
//   {abort: id}
//
// and receives these:
//
//   {opened: true} or {failed: message}
//   {id, status, type}, then {id, piece} ..., then {id, end: true}      an answer; status 499: it is incomplete
//   {id, failed: message}                                               an answer that has begun is incomplete
//   {id, progress: [bytes, complete]}                                   of a body that is packed
//   {made: {name, file, index}}                                         an archive was made; null: it could not be kept
//   {closed: n}                                                         the n-th archive that was made, from 0, was closed
//   {stopped: true}      another worker is needed: memory is exhausted, or a part of an archive could not be read
//
// site.js describes the file of a site. With a site, answers have no bits of surprise, which need the weights: 8 MB.

import { Module, NEEDS_WEIGHTS } from './module.js';
import { blobSource, memorySource, rangeSource } from './byte_sources.js';
import { openSite, readAhead } from './site.js';
import { compile } from './stamma.js';

const MAGIC = [0x8d, 0x53, 0x74, 0x61, 0x6d, 0x6d, 0x61, 0x0a]; // the first bytes of an archive
const UPLOAD = 2 ** 31; // bytes of the largest file that is opened

let module = null;
let archives = []; // of the site
let isOpen = false;
let isLost = false; // a part of an archive could not be read: its index counts as damaged
let surprise = true;
let first = 0; // number of the first archive that was made here
const waiting = [];
const aborted = new Set();
const made = []; // {name, file, index} of the archives that were made here; null: closed

const send = (message, transfer = []) => postMessage(message, transfer);

function answer(id, status, value) {
  send({ id, status, type: 'application/json' });
  send({ id, piece: new TextEncoder().encode(JSON.stringify(value)) });
  send({ id, end: true });
}

const fail = (id, status, message) => answer(id, status, { error: message });

// ---- archives ----

/* Reads the weights of the predictor. */
function needWeights() {
  if (module.hasWeights) return;
  const source = rangeSource(new URL('stamma.weights', import.meta.url).href);
  module.useWeights(source.read(0, source.size));
}

function described(number) {
  const pieces = [];
  module.answer('/archives', '', { piece(bytes) { pieces.push(...bytes); } });
  return JSON.parse(new TextDecoder().decode(new Uint8Array(pieces))).find((one) => one.number === number);
}

function add(name, file, more) {
  try {
    return module.add(name, file, more);
  } catch (error) {
    if (error.code !== NEEDS_WEIGHTS) throw error;
    needWeights();
    return module.add(name, file, more);
  }
}

/* Writes the bytes that act(write) writes to a Blob. */
function blobOf(act) {
  const pieces = [];
  act((bytes) => { pieces.push(bytes); });
  return new Blob(pieces);
}

const empty = () => blobOf((write) => module.pack('', memorySource(new Uint8Array()), 1, write));

/* Adds the archives that an earlier worker made, under the same numbers. */
function addMade(archive) {
  if (archive) add(archive.name, blobSource(archive.file), { index: blobSource(archive.index), made: true });
  else module.remove(module.add('', blobSource(empty()), { made: true }));
  made.push(archive);
}

async function open({ site, made: before }) {
  module = await Module.create(await compile(new URL('stamma.wasm', import.meta.url)), { log: (text) => console.info(text), upload: UPLOAD });
  if (site) {
    archives = await openSite(site);
    surprise = false;
    if (archives.some(({ counts }) => counts?.[3] > 0 || counts?.[4] > 0)) needWeights(); // blocks of levels 2 and 3
    archives.forEach(({ name, file, ...more }) => add(name, file, more));
    first = archives.length;
  }
  before.forEach(addMade);
  isOpen = true;
}

// ---- files of the user ----

const isArchive = (source) => source.size >= MAGIC.length && source.read(0, MAGIC.length).every((byte, i) => byte === MAGIC[i]);

/* Keeps an archive that has got the next number, for this worker and for a later one. */
function keep(archive) {
  made.push(archive);
  send({ made: archive });
}

/* Makes an index of the archive that was added last, and returns it. A damaged archive without one is removed. */
function indexOf(number) {
  try {
    const index = blobOf((write) => module.writeIndex(number, write));
    module.useIndex(number, blobSource(index));
    return index;
  } catch (error) {
    if (!module.hasStopped) module.remove(number);
    keep(null);
    throw error;
  }
}

/* Packs a file, or opens it if it is an archive, and makes an index of it. */
function takeFile(id, name, body) {
  const progress = (done) => { send({ id, progress: [done, false] }); };
  const source = blobSource(body);
  const file = isArchive(source) ? body : blobOf((write) => module.pack(name, source, 1, write, progress));
  send({ id, progress: [body.size, true] });
  const number = add(name, blobSource(file), { made: true });
  keep({ name, file, index: indexOf(number) });
  const { games, plies, archive_size: size } = described(number);
  answer(id, 200, { number, name, games, plies, archive_size: size, messages: [] });
}

function closeFile(id, n) {
  if (!made[n] || !module.remove(first + n)) return fail(id, 404, 'there is no such archive');
  made[n] = null;
  send({ closed: n });
  return answer(id, 200, {});
}

function uploads(id, { method, path, query, body }) {
  const n = Number(path.split('/')[1]) - first;
  if (method === 'POST') return takeFile(id, new URLSearchParams(query).get('name') ?? 'games.pgn', body);
  if (method === 'DELETE') return closeFile(id, n);
  if (method !== 'GET' || !made[n]) return fail(id, 404, 'there is no such archive');
  send({ id, status: 200, type: 'application/octet-stream' });
  send({ id, piece: made[n].file });
  return send({ id, end: true });
}

// ---- requests ----

function serve(id, { path, query }) {
  let begun = false;
  if (surprise && /(^|&)bits=1(&|$)/.test(query)) needWeights();
  const receiver = {
    begin: (status, type) => { begun = true; send({ id, status, type }); },
    piece: (bytes) => send({ id, piece: bytes }, [bytes.buffer]),
  };
  try {
    module.answer(`/${path}`, query, receiver);
    send({ id, end: true });
  } catch (error) {
    if (!begun) throw error;
    send({ id, failed: error.message });
  }
}

/* Requests the parts of a site that the answer may read. The answer reports errors. */
async function prepare({ path, query }) {
  if (archives.length > 0 && path === 'lichess') await readAhead(module.parts(query), archives).catch(() => {});
}

async function handle({ id, ...request }) {
  try {
    await prepare(request);
    if (aborted.delete(id)) send({ id, status: 499 });
    else if (/^uploads(\/|$)/.test(request.path)) uploads(id, request);
    else serve(id, request);
  } catch (error) {
    isLost = error.isUnreadable === true;
    fail(id, module.hasStopped ? 507 : isLost ? 503 : 400, error.message);
  }
  if (module.hasStopped || isLost) send({ stopped: true });
}

/* Answers the requests that wait, one after another. Between them, messages are received: an aborted request is dropped. */
async function work() {
  while (waiting.length > 0) {
    await handle(waiting[0]);
    waiting.shift();
    await new Promise((done) => { setTimeout(done); }); // receive messages
  }
}

onmessage = async ({ data }) => {
  if (data.open) {
    await open(data.open).then(() => { send({ opened: true }); work(); }, (error) => send({ failed: error.message }));
  } else if (data.abort !== undefined) {
    if (waiting.some((one) => one.id === data.abort)) aborted.add(data.abort);
  } else {
    waiting.push(data);
    if (isOpen && waiting.length === 1) work();
  }
};
