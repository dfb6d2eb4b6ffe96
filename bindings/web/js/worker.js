/* SPDX-License-Identifier: MIT */
// Answers the requests of the page in a worker, without a server (doc/site.md). Messages to the worker:
//
//   {open: {module, archives: [{name, file, index, pages}]}}   addresses of files; null: none
//   {id, method, path, query, body}                            a request, as of doc/serve.md; `body` is a Blob
//   {abort: id}
//
// Messages from the worker:
//
//   {opened: true} or {failed: message}
//   {id, status, type}, then {id, piece} ..., then {id, end: true}      an answer; status 499: it is incomplete
//   {id, progress: [bytes, complete]}                                   of a body that is packed

import { Module } from './module.js';
import { blobSource, memorySource, rangeSource } from './sources.js';

const MAGIC = [0x8d, 0x53, 0x74, 0x61, 0x6d, 0x6d, 0x61, 0x0a]; // the first bytes of an archive

let module = null;
let weights = null; // address of the weights; null: they are loaded, or there are none
const waiting = [];
const aborted = new Set();
const made = new Map(); // Blobs of the archives that were made here, by number

const send = (message, transfer = []) => postMessage(message, transfer);

function answer(id, status, value) {
  send({ id, status, type: 'application/json' });
  send({ id, piece: new TextEncoder().encode(JSON.stringify(value)) });
  send({ id, end: true });
}

const fail = (id, status, message) => answer(id, status, { error: message });

/* Reads the weights of the predictor when an answer needs them. */
function needWeights() {
  if (!weights) return;
  const source = rangeSource(weights);
  weights = null;
  module.useWeights(source.read(0, source.size));
}

function open({ module: address, archives, weights: file }) {
  weights = file;
  return WebAssembly.compileStreaming(fetch(address)).catch(async () => WebAssembly.compile(await (await fetch(address)).arrayBuffer()))
    .then((compiled) => Module.create(compiled, { log: (text) => console.info(text) }))
    .then((created) => {
      module = created;
      for (const one of archives) add(one.name, rangeSource(one.file), one.index && rangeSource(one.index), one.pages && rangeSource(one.pages));
    });
}

const listed = () => {
  const pieces = [];
  module.answer('/archives', '', { piece(bytes) { pieces.push(...bytes); } });
  return JSON.parse(new TextDecoder().decode(new Uint8Array(pieces)));
};

function add(name, file, index = null, pages = null) {
  const number = module.add(name, file, index, pages);
  if (listed().find((one) => one.number === number).levels.some((level) => level > 1)) needWeights();
  return number;
}

/* Packs a file, or opens it if it is an archive, and makes an index of it. */
function takeFile(id, name, body) {
  const source = blobSource(body);
  const progress = (done) => { send({ id, progress: [done, false] }); };
  const isArchive = source.size >= MAGIC.length && source.read(0, MAGIC.length).every((byte, i) => byte === MAGIC[i]);
  let blob = body;
  if (!isArchive) {
    const pieces = [];
    module.pack(name, source, 1, (bytes) => { pieces.push(bytes); }, progress);
    blob = new Blob(pieces);
  }
  send({ id, progress: [body.size, true] });
  const number = add(name, blobSource(blob));
  module.keepIndex(number, () => {});
  made.set(number, blob);
  const { games, plies, archive_size: size } = listed().find((one) => one.number === number);
  answer(id, 200, { number, name, games, plies, archive_size: size, messages: [] });
}

async function uploads(id, { method, path, query, body }) {
  const number = Number(path.split('/')[1]);
  if (method === 'POST') return takeFile(id, new URLSearchParams(query).get('name') ?? 'games.pgn', body);
  if (method === 'DELETE' && module.remove(number)) {
    made.delete(number);
    return answer(id, 200, {});
  }
  if (method !== 'GET' || !made.has(number)) return fail(id, 404, 'there is no such archive');
  send({ id, status: 200, type: 'application/octet-stream' });
  send({ id, piece: new Uint8Array(await made.get(number).arrayBuffer()) });
  return send({ id, end: true });
}

function serve(id, { path, query }) {
  const receiver = {
    begin: (status, type) => send({ id, status, type }),
    piece: (bytes) => send({ id, piece: bytes }, [bytes.buffer]),
  };
  module.answer(`/${path}`, query, receiver);
  send({ id, end: true });
}

/* Answers the requests that wait, one after another. Between them, messages are received: an aborted request is dropped. */
async function work() {
  while (waiting.length > 0) {
    const { id, ...request } = waiting[0];
    try {
      if (aborted.delete(id)) send({ id, status: 499 });
      else if (/^uploads(\/|$)/.test(request.path)) await uploads(id, request);
      else serve(id, request);
    } catch (error) {
      fail(id, 500, error.message);
    }
    waiting.shift();
    await new Promise((done) => { setTimeout(done); }); // receive messages
  }
}

onmessage = async ({ data }) => {
  if (data.open) {
    await open(data.open).then(() => send({ opened: true }), (error) => send({ failed: error.message }));
  } else if (data.abort !== undefined) {
    if (waiting.some((one) => one.id === data.abort)) aborted.add(data.abort);
  } else {
    waiting.push(data);
    if (waiting.length === 1) work();
  }
};
