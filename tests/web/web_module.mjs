/* SPDX-License-Identifier: MIT */
// Tests the module for WebAssembly and its JavaScript in Node.
//
// usage: web_module.mjs equal PGN ARCHIVE LEVEL JSON    compares archives, games and texts with those of the command
//        web_module.mjs answers ARCHIVE                 reads [path, query] as JSON from standard input, and prints statuses and bodies
//        web_module.mjs hostile FILE...                 opens damaged archives
//        web_module.mjs limits PGN                      cancels calls, and exhausts the memory
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${process.env.WEB}/`);
const { StammaError, load, memorySource } = await import(new URL('stamma.js', folder));
const { Module } = await import(new URL('module.js', folder));
const compiled = await WebAssembly.compile(readFileSync(new URL('stamma.wasm', folder)));

const bytesOf = (act) => {
  const pieces = [];
  act((bytes) => { pieces.push(bytes); });
  return Buffer.concat(pieces);
};

async function all(iterator) {
  const list = [];
  for await (const one of iterator) list.push(one);
  return list;
}

const commands = {
  async equal(pgn, archive, level, json) {
    const stamma = await load();
    const text = readFileSync(pgn);
    const packed = await stamma.packPgn(pathToFileURL(pgn), { level: Number(level) });
    assert.ok(Buffer.compare(packed, readFileSync(archive)) === 0, `the archive of ${pgn} at level ${level}`);
    const opened = await stamma.open(archive);
    assert.ok(Buffer.compare(await opened.unpack(), text) === 0, 'the text of the archive');
    const written = [];
    assert.equal((await opened.unpack({ write: (bytes) => written.push(bytes) })).length, 0);
    assert.ok(Buffer.compare(Buffer.concat(written), text) === 0, 'the text, written as it is made');
    const wanted = readFileSync(json, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const games = await all(opened.games({ fields: 'all' }));
    assert.ok(wanted.length > 50);
    assert.deepEqual(games, wanted, 'games as JSON');
    assert.deepEqual(await opened.game(wanted.length, { fields: ['san', 'White'] }), { san: wanted.at(-1).san, White: wanted.at(-1).tags.White });
    assert.equal(await opened.game(wanted.length + 1), undefined);
    const parts = [];
    for (const { number } of wanted) parts.push(await opened.text(number));
    assert.ok(text.indexOf(Buffer.concat(parts)) >= 0, 'texts of games');
    assert.deepEqual((await all(stamma.parsePgn(text, { fields: ['san'] }))).map((one) => one.san), wanted.map((one) => one.san), 'games of PGN');
    opened.close();
    await assert.rejects(opened.tree(), StammaError);
  },

  async answers(archive) {
    const module = await Module.create(compiled);
    module.useWeights(readFileSync(new URL('stamma.weights', folder)));
    const number = module.add(archive, memorySource(readFileSync(archive)), { index: memorySource(readFileSync(`${archive}.index`)) });
    assert.equal(number, 0);
    const answers = JSON.parse(readFileSync(0, 'utf8')).map(([path, query]) => {
      let status = 0;
      const body = bytesOf((piece) => { status = module.answer(path, query, { piece }); });
      return [status, body.toString('latin1')];
    });
    process.stdout.write(JSON.stringify(answers));
  },

  async hostile(...files) {
    const stamma = await load();
    const [counts, weights] = [{ refused: 0, opened: 0, errors: 0 }, readFileSync(new URL('stamma.weights', folder))];
    const attempt = async (act) => {
      try { await act(); } catch (error) {
        assert.ok(error instanceof StammaError, error.stack);
        assert.doesNotMatch(error.message, /stopped/);
        counts.errors += 1;
      }
    };
    let module = null;
    for (const file of files) {
      module ??= await Module.create(compiled);
      if (!module.hasWeights) module.useWeights(weights);
      const source = memorySource(readFileSync(file));
      let number = -1;
      await attempt(() => module.pack(file, source, 1, () => {}));
      await attempt(() => { number = module.add(file, source, {}); });
      if (number < 0) { counts.refused += 1; continue; }
      counts.opened += 1;
      await attempt(() => module.games(number, 1, 100, '', () => {}));
      await attempt(() => module.games(number, 1, 100, null, () => {}));
      await attempt(() => module.unpack(number, () => {}));
      await attempt(() => module.keepIndex(number, () => {}));
      for (const [path, query] of [['/lichess', 'play=e2e4'], ['/find', 'player=a'], ['/stats', ''], ['/game/1', '']]) module.answer(path, `${query}&archive_number=${number}`, { piece() {} });
      await attempt(() => { module.remove(number); });
    }
    // Index files with one damaged byte.
    const packed = await stamma.packPgn('[White "A"]\n\n1. e4 e5 2. Nf3 *\n\n[White "B"]\n\n1. d4 *\n');
    const index = await (await stamma.open(packed)).indexFile();
    for (let at = 0; at < index.length; at += 61) {
      const damaged = index.slice();
      damaged[at] ^= 1 << at % 8;
      await attempt(() => {
        const number = module.add('a', memorySource(packed), { index: memorySource(damaged) });
        for (const [path, query] of [['/lichess', 'play=e2e4'], ['/find', 'player=a']]) module.answer(path, `${query}&archive_number=${number}`, { piece() {} });
        module.remove(number);
      });
    }
    assert.ok(counts.opened > 300 && counts.errors > 300, JSON.stringify(counts));
    assert.equal(module.hasStopped, false);
    assert.equal((await stamma.packPgn('1. e4 *')).length > 0, true);
    console.log(JSON.stringify(counts));
  },

  async limits(pgn) {
    const text = readFileSync(pgn);
    const stamma = await load();
    const reports = [];
    await stamma.packPgn(text, { onProgress: (done, total) => reports.push([done, total]) });
    assert.ok(reports.length > 4 && reports.every(([done, total], i) => total === text.length && done >= (reports[i - 1]?.[0] ?? 0)), 'progress');
    const stop = new AbortController();
    let calls = 0;
    await assert.rejects(stamma.packPgn(text, { signal: stop.signal, onProgress: () => { calls += 1; if (calls === 2) stop.abort(); } }), { name: 'AbortError' });
    assert.ok(calls <= 2, 'a cancelled call ends at the next block');
    const archive = await stamma.open(await stamma.packPgn(text));
    await assert.rejects(archive.index({ signal: AbortSignal.abort() }), { name: 'AbortError' });
    await assert.rejects(archive.unpack({ signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal((await archive.unpack()).length, text.length, 'a cancelled call has no effect on others');
    await assert.rejects(stamma.open({ size: 1e6, read() { throw new Error('unplugged'); } }), /unplugged/);
    assert.throws(() => stamma.position('8/8 w'), StammaError);
    assert.throws(() => stamma.position().play('e5'), StammaError);

    // An instance without memory for another page.
    let instance = null;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = async (...all) => { instance = await instantiate(...all); return instance; };
    const small = await load({ module: compiled });
    WebAssembly.instantiate = instantiate;
    const { memory } = instance.exports;
    for (let pages = 65536; pages > 0; pages = Math.floor(pages / 2)) {
      for (;;) { try { memory.grow(pages); } catch { break; } }
    }
    await assert.rejects(small.packPgn(text), (error) => error instanceof StammaError && /memory/.test(error.message));
    assert.equal((await load().then((other) => other.packPgn(text))).length > 0, true, 'another instance');
  },
};

const [name, ...words] = process.argv.slice(2);
await commands[name](...words);
