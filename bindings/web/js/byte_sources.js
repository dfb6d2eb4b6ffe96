/* SPDX-License-Identifier: MIT */
// Sources: bytes that the module reads at once: {size, read(offset, size)}.
//
// The module is synchronous, and so are its sources. In a worker, a Blob is read with FileReaderSync, and an address
// with synchronous requests of ranges: the worker waits, and the page does not. Outside of workers there are no
// synchronous reads, and `openSource` reads everything into memory first. In Node, files are read in place.

/** A source of bytes in memory. */
export const memorySource = (bytes) => ({ size: bytes.length, read: (offset, size) => bytes.subarray(offset, offset + size) });

/** A source of a Blob or File, for workers. */
export function blobSource(blob) {
  const reader = new FileReaderSync();
  return { size: blob.size, read: (offset, size) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + size))) };
}

/** A source that keeps what get(offset, size) returned, at most `most` bytes; the parts that were used last stay. add(offset,
 * bytes) adds bytes that were read otherwise, and has(offset, size) returns whether no read is necessary. */
export function keptSource(size, get, most = 64e6) {
  const parts = []; // {offset, bytes}, the last used last
  let held = 0;

  function find(offset, count) {
    const at = parts.findIndex((one) => one.offset <= offset && offset + count <= one.offset + one.bytes.length);
    if (at < 0) return null;
    const [part] = parts.splice(at, 1);
    parts.push(part);
    return part.bytes.subarray(offset - part.offset, offset - part.offset + count);
  }

  function add(offset, bytes) {
    parts.push({ offset, bytes });
    held += bytes.length;
    while (held > most && parts.length > 1) held -= parts.shift().bytes.length;
  }

  function read(offset, count) {
    const known = find(offset, count);
    if (known) return known;
    const bytes = get(offset, count);
    add(offset, bytes);
    return bytes;
  }

  return { size, read, add, has: (offset, count) => find(offset, count) !== null };
}

/* Sends a synchronous request: only in workers. */
function request(address, range) {
  const http = new XMLHttpRequest();
  http.open('GET', address, false);
  http.responseType = 'arraybuffer';
  if (range) http.setRequestHeader('Range', `bytes=${range[0]}-${range[1]}`);
  http.send();
  return http;
}

const changed = (address, status) => new Error(`${address} has changed, or cannot be read (status ${status})`);

/** Reads a range of an address, in a worker. */
export function readRange(address, offset, size) {
  const http = request(address, [offset, offset + size - 1]);
  if (http.status !== 206 || http.response.byteLength !== size) throw changed(address, http.status);
  return new Uint8Array(http.response);
}

/** A source of an address whose server answers requests of ranges, for workers. Ranges that were read are kept, at most
 * `most` bytes. Throws if the server cannot be reached. Calls watch(offset, size) for each request. */
export function rangeSource(address, { most = 64e6, watch = () => {} } = {}) {
  const first = request(address, [0, 0]);
  const total = /\/(\d+)$/.exec(first.getResponseHeader('Content-Range') ?? '');
  if (first.status === 200) return memorySource(new Uint8Array(first.response)); // no ranges: the server has sent everything
  if (first.status !== 206 || !total) throw new Error(`${address} cannot be read (status ${first.status})`);
  const get = (offset, size) => { watch(offset, size); return readRange(address, offset, size); };
  return keptSource(Number(total[1]), get, most);
}

/** A function get(offset, size) for keptSource, of a file that was cut into pieces of `piece` bytes. piece(n) returns the
 * bytes of a piece. */
export function joinPieces(piece, readPiece) {
  return (offset, size) => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size;) {
      const n = Math.floor((offset + at) / piece);
      const part = readPiece(n).subarray(offset + at - n * piece).subarray(0, size - at);
      if (part.length === 0) throw new Error('a piece of a file is missing');
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  };
}

/** Reads the piece of a file at an address, in a worker. */
export function readWhole(address) {
  const http = request(address, null);
  if (http.status !== 200) throw changed(address, http.status);
  return new Uint8Array(http.response);
}

/** Opens a source of bytes, a text, a Blob, an address (URL) or, in Node, a path. */
export async function openSource(input) {
  if (typeof input?.read === 'function' && typeof input.size === 'number') return input;
  if (input instanceof Uint8Array) return memorySource(input);
  if (input instanceof ArrayBuffer) return memorySource(new Uint8Array(input));
  if (typeof Blob === 'function' && input instanceof Blob) {
    return typeof FileReaderSync === 'function' ? blobSource(input) : memorySource(new Uint8Array(await input.arrayBuffer()));
  }
  if (input instanceof URL && input.protocol !== 'file:') {
    if (typeof XMLHttpRequest === 'function' && typeof WorkerGlobalScope === 'function') return rangeSource(input.href);
    const response = await fetch(input);
    if (!response.ok) throw new Error(`${input} cannot be read (status ${response.status})`);
    return memorySource(new Uint8Array(await response.arrayBuffer()));
  }
  if (typeof process === 'object' && process.versions?.node && (typeof input === 'string' || input instanceof URL)) return fileSource(input);
  throw new TypeError('expected bytes, a Blob, a URL or the path of a file');
}

/** A source of a file, in Node. The file stays open until the process ends, or close() is called. */
async function fileSource(path) {
  const fs = await import('node:fs');
  const file = fs.openSync(path, 'r');
  return {
    size: fs.fstatSync(file).size,
    read(offset, size) {
      const bytes = new Uint8Array(size);
      for (let got = 0, n = 0; got < size; got += n) {
        n = fs.readSync(file, bytes, got, size - got, offset + got);
        if (n === 0) return bytes.subarray(0, got);
      }
      return bytes;
    },
    close() { fs.closeSync(file); },
  };
}
