/* SPDX-License-Identifier: MIT */
// Compares the module for WebAssembly in Node with the command, and with packages of npm that parse PGN and list legal
// moves. Prints processor time, so that other work on the machine matters little. Needs `make`, `make wasm`, and for the
// packages `scripts/setup --web`.
//
// usage: node bench/web_speed.mjs PGN [FAST] [SLOW]    bytes of the PGN to use at level 1 (default: 6,000,000) and 2 (600,000)
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = new URL('..', import.meta.url);
const { load } = await import(new URL('build/web/stamma.js', root));
const command = process.env.STAMMA ?? new URL('build/stamma', root).pathname;
const [pgn, fast = '6000000', slow = '600000'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'web-speed-'));
const path = (name) => join(folder, name);

/* Writes the first complete games of the PGN. */
function cut(name, size) {
  const text = readFileSync(pgn).subarray(0, Number(size)).toString('latin1');
  writeFileSync(path(name), text.slice(0, text.lastIndexOf('\n[Event ') + 1), 'latin1');
}

/* Returns the seconds of processor time that act uses: the median. Node compiles code better after it has run a few times. */
async function seconds(act, times = 3) {
  const all = [];
  for (let i = 0; i < times; i += 1) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    all.push((user + system) / 1e6);
  }
  return all.sort((a, b) => a - b)[times >> 1];
}

function nativeSeconds(...words) {
  const all = [];
  for (let i = 0; i < 3; i += 1) {
    const { stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', 'bash', command, ...words], { encoding: 'utf8' });
    all.push(stderr.trim().split(' ').reduce((sum, one) => sum + Number(one), 0));
  }
  return all.sort((a, b) => a - b)[1];
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);

async function compare(stamma) {
  row('', 'command', 'Node', 'share');
  row('---', '---:', '---:', '---:');
  const show = (name, native, own) => row(name, `${native.toFixed(2)} s`, `${own.toFixed(2)} s`, `${Math.round(100 * native / own)} %`);
  for (const [level, name] of [[1, 'fast'], [2, 'slow']]) {
    const file = path(`${name}.pgn`);
    const text = readFileSync(file);
    const archive = path(`${name}.stamma`);
    show(`pack at level ${level}`, nativeSeconds('pack', '-q', '-f', `-${level}`, file, '-o', archive), await seconds(() => stamma.packPgn(text, { level })));
    // Answers are kept as long as an archive is open.
    const opened = (act, times) => seconds(async () => { const one = await stamma.open(archive); await act(one); one.close(); }, times);
    show(`unpack at level ${level}`, nativeSeconds('unpack', '-f', '-o', '/dev/null', archive), await opened((one) => one.unpack()));
    if (level === 1) {
      show('find a material balance without an index', nativeSeconds('find', '--no-index', archive, '--material', 'KRPKR'), await opened((one) => one.count({ material: 'KRPKR' }), 9));
      show('tree after 1. e4 without an index', nativeSeconds('tree', '--no-index', archive, '--moves', 'e4'), await opened((one) => one.tree({ moves: ['e2e4'], topGames: 0, recentGames: 0 }), 9));
      show('write an index file', nativeSeconds('index', '-q', '-f', archive), await opened((one) => one.indexFile()));
    }
  }
}

async function count(iterator) {
  let n = 0;
  for await (const one of iterator) n += one.san.length > 0 ? 1 : 0;
  return n;
}

/* Positions of the games, for the lists of legal moves. */
async function positions(stamma, text) {
  const list = [];
  for await (const { san, fen } of stamma.parsePgn(text, { fields: ['san', 'fen'] })) {
    let position = stamma.position(fen ?? undefined);
    for (const move of san.slice(0, 60)) { position = position.play(move); list.push(position.fen); }
    if (list.length > 3000) return list;
  }
  return list;
}

async function compareModules(stamma) {
  const require = createRequire(join(execFileSync(new URL('scripts/setup', root).pathname, ['--modules'], { encoding: 'utf8' }).trim(), '..', 'web', 'package.json'));
  const { Chess } = require('chess.js');
  const { parse } = require('@mliebelt/pgn-parser');
  const text = readFileSync(path('slow.pgn'), 'latin1');
  const games = text.split(/\n(?=\[Event )/);
  const fens = await positions(stamma, text);
  const rate = (n, time) => Math.round(n / time).toLocaleString('en');
  const own = await seconds(() => count(stamma.parsePgn(text, { fields: ['tags', 'result', 'san', 'comments', 'nags', 'variations'] })));
  const chess = await seconds(() => games.forEach((one) => new Chess().loadPgn(one)));
  const parser = await seconds(() => parse(text, { startRule: 'games' }));
  const ownMoves = await seconds(() => fens.forEach((fen) => stamma.position(fen).moves));
  const chessMoves = await seconds(() => fens.forEach((fen) => new Chess(fen).moves()));
  console.log();
  row('per second', 'stamma', 'chess.js', '@mliebelt/pgn-parser');
  row('---', '---:', '---:', '---:');
  row('games of PGN parsed, moves checked', rate(games.length, own), rate(games.length, chess), `${rate(games.length, parser)} (moves not checked)`);
  row('positions with all legal moves in SAN', rate(fens.length, ownMoves), rate(fens.length, chessMoves), '–');
}

try {
  cut('fast.pgn', fast);
  cut('slow.pgn', slow);
  const start = await seconds(load);
  const stamma = await load();
  await stamma.loadWeights();
  await compare(stamma);
  await compareModules(stamma);
  const file = new URL('build/web/stamma.wasm', root);
  console.log(`\nstamma.wasm: ${statSync(file).size.toLocaleString('en')} bytes, ${gzipSync(readFileSync(file), { level: 9 }).length.toLocaleString('en')} with gzip; load(): ${start.toFixed(2)} s`);
} finally {
  rmSync(folder, { recursive: true });
}
