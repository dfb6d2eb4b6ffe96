/* SPDX-License-Identifier: MIT */
// The module stamma.wasm: its memory, its sources and sinks of bytes, and the few functions of WASI that it uses.
// Everything here is synchronous. stamma.js has the interface for programs.

const NOTHING = 8; // EBADF of WASI: the module opens no files

/** An error of the library. `code` is its number, as in include/stamma/base.h. */
export class StammaError extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'StammaError';
    this.code = code;
  }
}

/* The imports of the system. The module has a clock, prints messages, and nothing else. */
function system(view, log) {
  return {
    clock_time_get(id, precision, out) { view().setBigUint64(out, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true); return 0; },
    fd_write(file, list, count, written) {
      let sum = 0;
      for (let i = 0; i < count; i += 1) {
        const [at, size] = [view().getUint32(list + 8 * i, true), view().getUint32(list + 8 * i + 4, true)];
        log(new TextDecoder().decode(new Uint8Array(view().buffer, at, size)));
        sum += size;
      }
      view().setUint32(written, sum, true);
      return 0;
    },
    proc_exit() { throw new StammaError('out of memory', 0); },
    fd_close: () => NOTHING, fd_fdstat_get: () => NOTHING, fd_read: () => NOTHING, fd_seek: () => NOTHING, poll_oneoff: () => NOTHING,
  };
}

/** The code of the error of an archive that needs the weights of the predictor. */
export const NEEDS_WEIGHTS = 100;

/** An instance of the module. It can answer one request at a time. */
export class Module {
  #memory;
  #exports;
  #sources = new Map(); // {size, read(offset, size)} by number
  #sinks = new Map();   // functions by number
  #numbers = 0;
  #receiver = null;     // of the answer that is made
  #progress = null;
  #failure = null;      // the error of a source, a sink or a callback
  #used = new Map();    // numbers of the sources of an archive, by its number
  #stopped = null;      // the error that ended the module

  /** Instantiates a compiled module. log(text) is called with messages for developers. `memory` limits the memory of
   * searches, in bytes. `upload` is the size of the largest file that /health says can be opened; 0: none. */
  static async create(compiled, { log = () => {}, memory = 256e6, upload = 0 } = {}) {
    const module = new Module();
    const view = () => new DataView(module.#memory.buffer);
    const instance = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: system(view, log), stamma: module.#imports() });
    module.#exports = instance.exports;
    module.#memory = instance.exports.memory;
    instance.exports._initialize?.();
    if (!module.#exports.open(memory, upload)) throw new StammaError('out of memory', 0);
    return module;
  }

  /* Calls act, which may fail. The module ends its call with an error; the cause is thrown afterwards. */
  #guard(act) {
    try { return act() === false ? 0 : 1; } catch (error) { this.#failure ??= error; return 0; }
  }

  #imports() {
    return {
      read: (number, offset, at, size) => this.#guard(() => {
        const bytes = this.#sources.get(number).read(offset, size);
        if (bytes.length !== size) throw new Error('a source has fewer bytes than its size');
        new Uint8Array(this.#memory.buffer, at, size).set(bytes);
      }),
      write: (number, at, size) => this.#guard(() => this.#sinks.get(number)(new Uint8Array(this.#memory.buffer, at, size).slice())),
      progress: (done, total) => this.#guard(() => this.#progress?.(done, total)),
      begin: (status, type, disposition) => { this.#guard(() => { this.#receiver?.begin?.(status, this.#textAt(type), this.#textAt(disposition)); }); },
      piece: (at, size) => this.#guard(() => this.#receiver?.piece(new Uint8Array(this.#memory.buffer, at, size).slice())),
      is_gone: () => 1 - this.#guard(() => !this.#receiver?.isGone?.()),
    };
  }

  #textAt(at) {
    if (at === 0) return null;
    const bytes = new Uint8Array(this.#memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /* Calls act with the addresses of texts, which are released afterwards. */
  #withTexts(texts, act) {
    const addresses = texts.map((text) => {
      const bytes = new TextEncoder().encode(`${text}\0`);
      const at = this.#exports.allocate(bytes.length);
      if (at === 0) throw new StammaError('out of memory', 0);
      new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
      return at;
    });
    try { return act(...addresses); } finally { if (!this.#stopped) addresses.forEach((at) => this.#exports.release(at)); }
  }

  /** Returns whether a call ended the module, because memory or its stack was exhausted. All later calls fail. */
  get hasStopped() { return this.#stopped !== null; }

  /* Calls a function of the module. A trap ends the module: its memory is in an unknown state. */
  #call(act) {
    if (this.#stopped) throw this.#stopped;
    try {
      return act();
    } catch (error) {
      this.#stopped = new StammaError(`the module has stopped: ${error.message}`, 0);
      throw this.#stopped;
    }
  }

  /* Returns the number that a call returned. Throws the error of a negative number, or its cause. */
  #checked(act) {
    this.#failure = null;
    const result = this.#call(act);
    const cause = this.#failure;
    this.#failure = null;
    if (cause) throw cause;
    if (result < 0) throw new StammaError(this.#textAt(this.#exports.error_text(result)), -result);
    return result;
  }

  #withSink(write, act) {
    this.#numbers += 1;
    const number = this.#numbers;
    this.#sinks.set(number, write);
    try { return this.#checked(() => act(number)); } finally { this.#sinks.delete(number); }
  }

  #addSource(source) {
    if (!source || source.size === 0) return { number: -1, size: 0 };
    this.#numbers += 1;
    this.#sources.set(this.#numbers, source);
    return { number: this.#numbers, size: source.size };
  }

  /* Calls act with sources, which stay open for the archive whose number it returns. */
  #withSources(sources, act) {
    const added = sources.map((one) => this.#addSource(one));
    const numbers = added.map((one) => one.number);
    try {
      const archive = act(...added);
      this.#used.set(archive, [...(this.#used.get(archive) ?? []), ...numbers]);
      return archive;
    } catch (error) {
      if (error.code !== NEEDS_WEIGHTS) this.#release(numbers);
      else numbers.forEach((number) => this.#sources.delete(number)); // the sources stay open for another call
      throw error;
    }
  }

  #release(numbers) {
    for (const number of numbers) {
      this.#sources.get(number)?.close?.();
      this.#sources.delete(number);
    }
  }

  #withProgress(progress, act) {
    this.#progress = progress;
    try { return act(); } finally { this.#progress = null; }
  }

  /** Returns whether there are weights of the predictor. */
  hasWeights = false;

  /** Uses the bytes of the file stamma.weights. Throws if they are not the weights of this version. */
  useWeights(bytes) {
    const at = this.#exports.allocate_weights(bytes.length);
    if (at === 0) throw new StammaError('out of memory', 0);
    new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
    if (!this.#exports.use_weights(at, bytes.length)) {
      this.#exports.release(at);
      throw new Error('these are not the weights of this version of Stamma');
    }
    this.hasWeights = true;
  }

  /** Adds an archive, with its index and its pages if there are any. `counts` are its games, plies, blocks of levels 1, 2
   * and 3, and 1 if games have a tag TimeControl; without them, all blocks are read. `made`: the user has opened it in the page. Returns
   * its number in requests. The sources are closed when the archive is removed. */
  add(name, file, { index = null, pages = null, made = false, counts = null } = {}) {
    if (counts) this.#call(() => this.#exports.count(...counts));
    return this.#withSources([file, index, pages], (...sources) => this.#withTexts([name], (text) => this.#checked(
      () => this.#exports.add(text, made ? 1 : 0, ...sources.flatMap(({ number, size }) => [number, size])))));
  }

  /** Uses an index file for an archive that has none. */
  useIndex(archive, file) {
    this.#withSources([file], ({ number, size }) => { this.#checked(() => this.#exports.use_index(archive, number, size)); return archive; });
  }

  /** Removes an archive. Returns false if there is none with this number. */
  remove(number) {
    if (this.#call(() => this.#exports.remove(number)) === 0) return false;
    this.#release(this.#used.get(number) ?? []);
    return this.#used.delete(number);
  }

  /** Makes an index in memory for an archive. progress(done, total) is called for each block; false ends the call. */
  keepIndex(number, progress) { this.#withProgress(progress, () => this.#checked(() => this.#exports.keep_index(number))); }

  writeIndex(number, write, progress) { this.#withProgress(progress, () => this.#withSink(write, (sink) => this.#exports.write_index(number, sink))); }

  /** Packs a file of PGN, which may be compressed: write(bytes) is called with the pieces of the archive. */
  pack(name, source, level, write, progress) {
    const { number, size } = this.#addSource(source);
    try {
      this.#withProgress(progress, () => this.#withTexts([name], (text) => this.#withSink(write, (sink) => this.#exports.pack(text, number, size, sink, level))));
    } finally {
      this.#sources.delete(number);
    }
  }

  unpack(number, write) { this.#withSink(write, (sink) => this.#exports.unpack(number, sink)); }

  #receive(receiver, act) {
    this.#receiver = receiver;
    try { return act(); } finally { this.#receiver = null; }
  }

  /** Sends games of an archive to piece(bytes): lines of JSON with these fields, separated by commas ('': all), or
   * without `fields` their text in one or more pieces each. */
  games(number, first, count, fields, piece) {
    const send = (at) => this.#checked(() => this.#exports.games(number, first, count, at));
    this.#receive({ piece }, () => (typeof fields === 'string' ? this.#withTexts([fields], send) : send(0)));
  }

  /** Returns the text of a position after a move, which may be '': lines with its FEN, '+' or '-' for check, and a line
   * with UCI and SAN for each legal move. */
  position(fen, move) {
    let text = '';
    const piece = (bytes) => { text = new TextDecoder().decode(bytes); };
    this.#receive({ piece }, () => this.#withTexts([fen, move], (a, b) => this.#checked(() => this.#exports.position(a, b))));
    return text;
  }

  /** Returns the parts of files of pages that the answer to a request for a tree may read: {archive, offset, size}. */
  parts(query) {
    let text = '';
    const piece = (bytes) => { text += new TextDecoder().decode(bytes); };
    this.#receive({ piece }, () => this.#withTexts([query], (at) => this.#call(() => this.#exports.parts(at))));
    return text.split('\n').filter(Boolean).map((line) => line.split(' ').map(Number)).map(([archive, offset, size]) => ({ archive, offset, size }));
  }

  /** Answers a request as `stamma serve` does. receiver: begin(status, type, disposition), piece(bytes), isGone(). Returns
   * the status of HTTP; 499: the answer is incomplete. */
  answer(path, query, receiver) {
    return this.#receive(receiver, () => this.#withTexts([path, query], (a, b) => this.#checked(() => this.#exports.answer(a, b))));
  }
}
