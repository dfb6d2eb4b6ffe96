/* SPDX-License-Identifier: MIT */
// Archives, games, positions and encodings for programs. index.d.ts documents everything that is exported here.

import { Module, StammaError } from './module.js';
import { memorySource, openSource } from './sources.js';

export { StammaError } from './module.js';
export { blobSource, memorySource, rangeSource } from './sources.js';

const BATCH = 256; // games that are read at once

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

async function bytesOf(input) {
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (isNode && (typeof input === 'string' || input.protocol === 'file:')) return (await import('node:fs/promises')).readFile(input);
  const response = await fetch(input);
  if (!response.ok) throw new Error(`${input} cannot be read (status ${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
}

async function compile(input) {
  if (input instanceof WebAssembly.Module) return input;
  if (isNode || input instanceof Uint8Array || input instanceof ArrayBuffer) return WebAssembly.compile(await bytesOf(input));
  return WebAssembly.compileStreaming(fetch(input)).catch(async () => WebAssembly.compile(await bytesOf(input))); // a server without the type
}

/** Loads the library. Call it once: the module is compiled for about a tenth of a second. */
export async function load({ module = new URL('./stamma.wasm', import.meta.url), weights = new URL('./stamma.weights', import.meta.url), log, memory } = {}) {
  return new Stamma(await Module.create(await compile(module), { log, memory }), weights);
}

/* The fields of a request. Lists are joined by commas, objects become JSON, null and false are omitted. */
export function fieldsOf(params) {
  const text = (value) => (Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : value === true ? '1' : String(value));
  return new URLSearchParams(Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
    .map(([name, value]) => [name, text(value)])).toString();
}

const join = (pieces) => {
  const all = new Uint8Array(pieces.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of pieces) { all.set(one, at); at += one.length; }
  return all;
};

const textOf = (pieces) => new TextDecoder().decode(join(pieces));

/* A progress callback of a user: {progress(done, total), signal}. */
const watched = ({ onProgress, signal } = {}) => (done, total) => {
  signal?.throwIfAborted();
  onProgress?.(done, total);
};

class Stamma {
  #module;
  #weights;

  constructor(module, weights) {
    this.#module = module;
    this.#weights = weights;
  }

  async #needWeights() {
    if (!this.#module.hasWeights) this.#module.useWeights(await bytesOf(this.#weights));
  }

  /** Loads the weights of the predictor, for levels 2 and 3 and for bits of surprise. */
  loadWeights() { return this.#needWeights(); }

  async open(input, { name = input?.name ?? 'archive', index = null, pages = null } = {}) {
    const [file, ...more] = await Promise.all([input, index, pages].map((one) => one && openSource(one)));
    const number = this.#module.add(name, file, ...more);
    const { levels } = this.#answer('/archives', {}).find((one) => one.number === number);
    if (levels.some((level) => level > 1)) await this.#needWeights();
    return new Archive(this.#module, number);
  }

  async packPgn(input, options = {}) {
    const { level = 1 } = options;
    const pieces = [];
    if (level > 1) await this.#needWeights();
    const source = typeof input === 'string' && !options.path ? memorySource(new TextEncoder().encode(input)) : await openSource(input);
    this.#module.pack(input?.name ?? 'games.pgn', source, level, (bytes) => { pieces.push(bytes); }, watched(options));
    return join(pieces);
  }

  async* parsePgn(input, options = {}) {
    const archive = await this.open(await this.packPgn(input, options));
    try { yield* archive.games(); } finally { archive.close(); }
  }

  #answer(path, params) {
    const pieces = [];
    const status = this.#module.answer(path, fieldsOf(params), { piece(bytes) { pieces.push(bytes); } });
    const text = textOf(pieces);
    if (status !== 200) throw new StammaError(JSON.parse(text || '{"error": "no answer"}').error, 0);
    return JSON.parse(text);
  }

  request(path, params = {}) { return this.#answer(path, params); }

  position(fen) { return new Position(this, fen); }

  encodings() { return this.#answer('/encodings', {}).encodings; }

  encode(fen, move) { return this.#answer('/encode', { fen, play: move }); }
}

/** Answers of one archive. */
class Archive {
  #module;
  #number;

  constructor(module, number) {
    this.#module = module;
    this.#number = number;
  }

  get number() { return this.#number; }

  get info() { return this.request('/archives').find((one) => one.number === this.#number); }

  get size() { return this.info.games; }

  request(path, params = {}) {
    const pieces = [];
    const query = fieldsOf({ ...params, archive_number: this.#number });
    const status = this.#module.answer(path, query, { piece(bytes) { pieces.push(bytes); } });
    if (status !== 200) throw new StammaError(JSON.parse(textOf(pieces) || '{"error": "no answer"}').error, 0);
    return JSON.parse(textOf(pieces));
  }

  #read(first, count) {
    const lines = [];
    this.#module.games(this.#number, first, count, false, (bytes) => { lines.push(bytes); });
    return lines.map((line) => JSON.parse(new TextDecoder().decode(line)));
  }

  async game(number) {
    const [game] = this.#read(number, 1);
    return game;
  }

  async text(number) {
    const pieces = [];
    this.#module.games(this.#number, number, 1, true, (bytes) => { pieces.push(bytes); });
    return join(pieces);
  }

  async* games({ from = 1, to = Infinity } = {}) {
    const end = Math.min(to, this.size);
    for (let first = from; first <= end; first += BATCH) yield* this.#read(first, Math.min(BATCH, end - first + 1));
  }

  async* find(rules = {}, { limit = Infinity, sort } = {}) {
    const query = typeof rules === 'string' ? rules : JSON.stringify(rules);
    for (let offset = 0, sent = 0; sent < limit;) {
      const answer = this.request('/find', { query, sort, offset, limit: Math.min(BATCH, limit - sent) });
      yield* answer.games;
      sent += answer.games.length;
      if (answer.next === null || answer.next === undefined || answer.games.length === 0) return;
      offset = answer.next;
    }
  }

  async count(rules = {}) { return this.request('/find', { query: JSON.stringify(rules), limit: 0 }).count; }

  async tree({ moves = [], ...params } = {}) { return this.request('/lichess', { play: moves, ...params }); }

  async stats(params = {}) { return this.request('/stats', params); }

  /** Makes an index in memory: searches and trees are then fast. */
  async index(options = {}) { this.#module.keepIndex(this.#number, watched(options)); }

  async indexFile(options = {}) {
    const pieces = [];
    this.#module.writeIndex(this.#number, (bytes) => { pieces.push(bytes); }, watched(options));
    return join(pieces);
  }

  async unpack() {
    const pieces = [];
    this.#module.unpack(this.#number, (bytes) => { pieces.push(bytes); });
    return join(pieces);
  }

  close() { this.#module.remove(this.#number); }
}

/** A position: its legal moves, and the positions after them. */
class Position {
  #stamma;
  #answer;

  constructor(stamma, fen, answer = null) {
    this.#stamma = stamma;
    this.#answer = answer ?? stamma.request('/encode', { fen });
  }

  get fen() { return this.#answer.fen; }

  get moves() { return this.#answer.moves; }

  play(move) {
    const { uci } = this.moves.find((one) => one.uci === move || one.san === move) ?? {};
    if (!uci) throw new StammaError(`${move} is not a legal move in ${this.fen}`, 0);
    return new Position(this.#stamma, null, this.#stamma.request('/encode', { fen: this.fen, play: uci }));
  }
}
