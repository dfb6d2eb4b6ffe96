/* SPDX-License-Identifier: MIT */
// The archives of a static site, as `stamma site` writes it (doc/reference/sites.md), for the worker. The parts that opening an
// archive reads are requested before, together. What was read is kept in the browser's cache for visits without a
// network, if the browser has one; a site whose files have changed has other addresses, and the old parts are deleted.
//
// The list of archives is JSON: {"piece", "archives": [{"name", "file", "file_size", "index", "index_size", "pages",
// "pages_size", "counts"}]}. Only name and file are necessary. Addresses are relative to the list. `piece` is the size of the
// pieces of all files: piece n of a file is at its address + "/" + n; 0: files are complete. `counts` are those of
// Module.add(). A file without a size is not kept.

import { joinPieces, keptSource, memorySource, rangeSource, readRange, readWhole } from './byte_sources.js';

const KEPT = 256e6; // bytes of all parts that are kept for later visits
const UNIT = 65536;

/* The parts of each file that are read when it is opened, as [from, to]. The first is requested before the others: a host
 * without ranges answers with the complete file. The table of an index has four bytes for 4,096. */
const OPENED = {
  file: (size) => [[size - UNIT, size], [0, 4096]],
  index: (size) => [[0, UNIT], [size - 2 * UNIT - Math.ceil(size / 1024), size]],
  pages: (size) => [[0, UNIT]],
};

// ---- parts of earlier visits ----

/** The parts of files that earlier visits have read. Without a cache, nothing is kept. */
async function openStore(name, addresses) {
  const cache = await globalThis.caches?.open(name).catch(() => null);
  const known = new Map(addresses.map((one) => [one, []])); // requests by the address of their file
  let held = 0;
  for (const one of (await cache?.keys()) ?? []) {
    const list = known.get(one.url.split('?')[0]);
    if (list) list.push(one);
    else await cache.delete(one);
  }
  return {
    /** Calls add(offset, bytes) for each part of a file that is kept. */
    async each(address, add) {
      for (const one of known.get(address)) {
        const bytes = new Uint8Array(await (await cache.match(one)).arrayBuffer());
        held += bytes.length;
        add(Number(new URL(one.url).searchParams.get('offset')), bytes);
      }
    },
    keep(address, offset, bytes) {
      held += bytes.length;
      if (cache && held <= KEPT) cache.put(`${address}?offset=${offset}`, new Response(bytes)).catch(() => {});
    },
  };
}

// ---- files ----

/* Reads parts of addresses: `fetch` for several at once, and `read` when the module needs a part at once. A range of a
 * host that has no ranges is the complete file. */
const HTTP = {
  async fetch(address, range) {
    const response = await fetch(address, range && { headers: { Range: `bytes=${range[0]}-${range[1]}` } });
    if (!response.ok) throw new Error(`${address} cannot be read (status ${response.status})`);
    return { bytes: new Uint8Array(await response.arrayBuffer()), isWhole: response.status === 200 };
  },
  read: (address, offset, size) => (size ? readRange(address, offset, size) : readWhole(address)),
};

/* Requests parts of a file. Returns the complete file if the host has no ranges, or null. */
async function prefetch(source, address, parts, { transport, store }) {
  const [first, ...others] = parts;
  const one = async ([from, to]) => {
    const [begin, end] = [Math.max(from, 0), Math.min(to, source.size)];
    if (source.has(begin, end - begin)) return null;
    const { bytes, isWhole } = await transport.fetch(address, [begin, end - 1]);
    if (!isWhole) source.add(begin, bytes);
    store.keep(address, isWhole ? 0 : begin, bytes);
    return isWhole ? bytes : null;
  };
  const all = await one(first);
  if (!all) await Promise.all(others.map(one));
  return all;
}

/* Opens a file whose host may have ranges. */
async function openRanges(address, size, parts, { transport, store }) {
  const source = keptSource(size, (offset, count) => {
    const bytes = transport.read(address, offset, count);
    store.keep(address, offset, bytes);
    return bytes;
  });
  source.want = (wanted) => Promise.all(wanted.map((one) => prefetch(source, address, [one], { transport, store })));
  let whole = null;
  await store.each(address, (offset, bytes) => { if (bytes.length === size) whole = bytes; else source.add(offset, bytes); });
  whole ??= await prefetch(source, address, parts, { transport, store });
  return whole ? memorySource(whole) : source;
}

/* Opens a file in pieces, which are requested completely. */
async function openPieces(address, size, piece, parts, { transport, store }) {
  const pieces = new Map();
  const take = (n, bytes) => { pieces.set(n, bytes); store.keep(address, n * piece, bytes); };
  await store.each(address, (offset, bytes) => pieces.set(offset / piece, bytes));
  const ends = parts.flatMap(([from, to]) => [Math.max(from, 0), Math.min(to, size) - 1]);
  const first = [...new Set(ends.map((at) => Math.floor(at / piece)))].filter((n) => !pieces.has(n));
  await Promise.all(first.map(async (n) => take(n, (await transport.fetch(`${address}/${n}`)).bytes)));
  const read = (n) => {
    if (!pieces.has(n)) take(n, transport.read(`${address}/${n}`));
    return pieces.get(n);
  };
  return { size, read: joinPieces(piece, read) };
}

const ENOUGH = 3; // missing parts that are requested together

/** Requests the parts of the pages that a tree needs together, if several are missing, as for a shared address. `parts` are
 * those of Module.parts(), and `archives` those of openSite(). */
export async function readAhead(parts, archives) {
  await Promise.all(archives.map(async ({ pages }, n) => {
    const missing = parts.filter(({ archive, offset, size }) => archive === n && pages?.want && !pages.has(offset, size));
    if (missing.length >= ENOUGH) await pages.want(missing.map(({ offset, size }) => [offset, offset + size]));
  }));
}

/* Marks the errors of a source, after which the module's answers cannot be trusted: the worker begins again. */
function marked(source) {
  return { ...source, read(offset, size) {
    try { return source.read(offset, size); } catch (error) { throw Object.assign(error, { isUnreadable: true }); }
  } };
}

/** Opens the archives of the site whose list is at an address. Returns {name, counts, file, index, pages} of each, with
 * sources; the last two may be null. */
export async function openSite(site, transport = HTTP) {
  const { piece, archives } = JSON.parse(new TextDecoder().decode((await transport.fetch(site)).bytes));
  const at = (path) => new URL(path, site).href;
  const paths = archives.flatMap(({ file, index, pages }) => [file, index, pages]).filter(Boolean);
  const store = await openStore(`stamma-data ${at('.')}`, paths.map(at));
  const open = async (one, key) => {
    if (!one[key]) return null;
    const [address, size] = [at(one[key]), one[`${key}_size`]];
    if (size === undefined) return marked(rangeSource(address));
    const parts = OPENED[key](size);
    return marked(await (piece ? openPieces(address, size, piece, parts, { transport, store }) : openRanges(address, size, parts, { transport, store })));
  };
  return Promise.all(archives.map(async (one) => {
    const [file, index, pages] = await Promise.all(['file', 'index', 'pages'].map((key) => open(one, key)));
    return { name: one.name, counts: one.counts ?? null, file, index, pages };
  }));
}
