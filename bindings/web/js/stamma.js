/* SPDX-License-Identifier: MIT */
// Archives, games, positions and encodings for programs. index.d.ts documents everything that is exported here.

import { Module, NEEDS_WEIGHTS, StammaError } from './module.js';
import { memorySource, openSource } from './byte_sources.js';

export { StammaError } from './module.js';
export { blobSource, memorySource, rangeSource } from './byte_sources.js';

const BATCH = 256; // games that are read at once
const FIELDS = ['number', 'tags', 'result', 'fen', 'chess960', 'plies', 'san', 'uci', 'comments', 'nags', 'variations'];

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

async function bytesOf(input) {
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (isNode && (typeof input === 'string' || input.protocol === 'file:')) return (await import('node:fs/promises')).readFile(input);
  const response = await fetch(input);
  if (!response.ok) throw new Error(`${input} cannot be read (status ${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
}

/* Compiles stamma.wasm while it is loaded, unless the server sends another type. */
export async function compile(input) {
  if (input instanceof WebAssembly.Module) return input;
  if (isNode || input instanceof Uint8Array || input instanceof ArrayBuffer) return WebAssembly.compile(await bytesOf(input));
  return WebAssembly.compileStreaming(fetch(input)).catch(async () => WebAssembly.compile(await bytesOf(input)));
}

export async function load({ module = new URL('./stamma.wasm', import.meta.url), weights = new URL('./stamma.weights', import.meta.url), log, memory } = {}) {
  return new Stamma(await Module.create(await compile(module), { log, memory }), weights);
}

/* The fields of a request. Lists are joined by commas, objects become JSON, and true is 1. */
function fieldsOf(params) {
  const text = (value) => (Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : value === true ? '1' : String(value));
  const set = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
  return new URLSearchParams(set.map(([name, value]) => [name, text(value)])).toString();
}

function join(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of pieces) { all.set(one, at); at += one.length; }
  return all;
}

const decoder = new TextDecoder();

/* Calls act(write), and returns the bytes that it writes; none if the user has passed a `write`. */
function collect(act, write = null) {
  const pieces = [];
  if (write) act((bytes) => { write(bytes); });
  if (write) return new Uint8Array();
  act((bytes) => { pieces.push(bytes); });
  return join(pieces);
}

/* The progress callback of a call with the options {onProgress, signal}. */
const watched = ({ onProgress, signal } = {}) => (done, total) => {
  signal?.throwIfAborted();
  onProgress?.(done, total);
};

/* Answers a request of the server. */
function ask(module, path, params) {
  let status = 0;
  const text = decoder.decode(collect((piece) => { status = module.answer(path, fieldsOf(params), { piece }); }));
  if (status !== 200) throw new StammaError(JSON.parse(text || '{"error": "no answer"}').error, 0);
  return JSON.parse(text);
}

/* The name of an input: of a File, or the last part of an address or path. */
const nameOf = (input) => input?.name ?? (/([^/\\]+)$/.exec(typeof input === 'string' ? input : input instanceof URL ? input.pathname : '')?.[1] ?? 'archive');

class Stamma {
  #module;
  #weights;

  constructor(module, weights) {
    this.#module = module;
    this.#weights = weights;
  }

  async loadWeights() {
    if (!this.#module.hasWeights) this.#module.useWeights(await bytesOf(this.#weights));
  }

  async open(input, { name = nameOf(input), index, pages } = {}) {
    const [file, ...more] = await Promise.all([input, index, pages].map((one) => one && openSource(one)));
    const add = () => new Archive(this.#module, this.#module.add(name, file, { index: more[0], pages: more[1] }));
    try {
      return add();
    } catch (error) {
      if (error.code !== NEEDS_WEIGHTS) throw error;
      await this.loadWeights();
      return add();
    }
  }

  async packPgn(input, options = {}) {
    const { level = 1 } = options;
    if (level > 1) await this.loadWeights();
    const source = typeof input === 'string' ? memorySource(new TextEncoder().encode(input)) : await openSource(input);
    try {
      return collect((write) => this.#module.pack(input?.name ?? 'games.pgn', source, level, write, watched(options)), options.write);
    } finally {
      source.close?.();
    }
  }

  async* parsePgn(input, options = {}) {
    const archive = await this.open(await this.packPgn(input, options));
    try { yield* archive.games(options); } finally { archive.close(); }
  }

  request(path, params = {}) { return ask(this.#module, path, params); }

  position(fen = '') { return new Position(this.#module, fen, ''); }

  encodings() { return this.request('/encodings').encodings; }

  encode(fen, move) { return this.request('/encode', { fen, play: move }); }

}

const queryOf = (rules) => (typeof rules === 'string' ? rules : JSON.stringify(rules));

class Archive {
  #module;

  constructor(module, number) {
    this.#module = module;
    this.number = number;
    Object.freeze(this);
  }

  get info() { return ask(this.#module, '/archives', {}).find((one) => one.number === this.number); }

  get size() { return this.info.games; }

  request(path, params = {}) { return ask(this.#module, path, { ...params, archive_number: this.number }); }

  #read(first, count, fields) {
    const lines = decoder.decode(collect((piece) => this.#module.games(this.number, first, count, fields === 'all' ? '' : fields.join(','), piece)));
    return JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`);
  }

  async game(number, { fields = FIELDS } = {}) {
    const [game] = this.#read(number, 1, fields);
    return game;
  }

  async text(number) { return collect((piece) => this.#module.games(this.number, number, 1, null, piece)); }

  async* games({ from = 1, to = Infinity, fields = FIELDS } = {}) {
    const end = Math.min(to, this.size);
    for (let first = from; first <= end; first += BATCH) yield* this.#read(first, Math.min(BATCH, end - first + 1), fields);
  }

  async* find(rules = {}, { limit = Infinity, sort } = {}) {
    const query = queryOf(rules);
    for (let offset = 0, sent = 0; sent < limit;) {
      const answer = this.request('/find', { query, sort, offset, limit: Math.min(BATCH, limit - sent) });
      yield* answer.games;
      sent += answer.games.length;
      if ((answer.next ?? null) === null || answer.games.length === 0) return;
      offset = answer.next;
    }
  }

  async count(rules = {}) { return this.request('/stats', { query: queryOf(rules), limit: 1 }).games; }

  async tree({ moves = [], ...params } = {}) { return this.request('/lichess', { play: moves, ...params }); }

  async stats(params = {}) { return this.request('/stats', params); }

  async index(options = {}) { this.#module.keepIndex(this.number, watched(options)); }

  async indexFile(options = {}) { return collect((write) => this.#module.writeIndex(this.number, write, watched(options)), options.write); }

  async useIndex(input) { this.#module.useIndex(this.number, await openSource(input)); }

  async unpack({ signal, write: receive } = {}) {
    return collect((write) => this.#module.unpack(this.number, (bytes) => {
      signal?.throwIfAborted();
      write(bytes);
    }), receive);
  }

  close() { this.#module.remove(this.number); }
}

class Position {
  #module;
  #moves;

  constructor(module, fen, move) {
    this.#module = module;
    const [text, check, ...moves] = module.position(fen, move).split('\n');
    this.#moves = moves.slice(0, -1); // the text ends with a line end
    this.fen = text;
    this.inCheck = check === '+';
    Object.freeze(this);
  }

  get moves() {
    return this.#moves.map((line) => {
      const [uci, san] = line.split(' ');
      return { uci, san };
    });
  }

  get isCheckmate() { return this.inCheck && this.#moves.length === 0; }

  get isStalemate() { return !this.inCheck && this.#moves.length === 0; }

  play(move) { return new Position(this.#module, this.fen, move); }
}
