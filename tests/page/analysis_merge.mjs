/* SPDX-License-Identifier: MIT */
// Tabs that change one analysis. Each tab has its own view of the storage: what another tab stores arrives later. Started by
// analysis_pgn.sh.
//
// node analysis_merge.mjs tabs    random changes of two or three tabs: all end with the same analysis, and lose nothing
// node analysis_merge.mjs cases   chosen cases
// node analysis_merge.mjs files   exports analyses, and imports the file
// node analysis_merge.mjs pasted  what pasted texts mean
import assert from 'node:assert/strict';
import { INITIAL, legalMoves, playOne } from './base/rules.js';
import { addMove, alter, nodesOn, plant, promote, removeLine } from './study/move_tree.js';
import { fromPgn, splitGames, toPgn } from './study/pgn.js';

let seed = 48;
const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor((seed / 2147483648) * n); };
const pick = (list) => list[random(list.length)];

// ---- tabs ----

let now = null; // the tab that acts
let tabs = [];
let full = false;

const asObject = () => new Proxy({}, {
  ownKeys: () => [...now.items.keys()],
  getOwnPropertyDescriptor: (_, key) => ({ enumerable: true, configurable: true, value: now.items.get(key) }),
  get: (_, name) => ({
    getItem: (key) => now.items.get(key) ?? null,
    setItem: (key, text) => { if (full) throw new Error('full'); now.items.set(key, text); for (const tab of tabs) if (tab !== now) tab.arriving.push([key, text]); },
    removeItem: (key) => { now.items.delete(key); for (const tab of tabs) if (tab !== now) tab.arriving.push([key, null]); },
  })[name],
});
globalThis.localStorage = asObject();
let clock = 1e12;
Date.now = () => { clock += 1; return clock; };
globalThis.setTimeout = (act) => { now.timers.push(act); return act; };
globalThis.clearTimeout = (act) => { if (now) now.timers = now.timers.filter((one) => one !== act); };
globalThis.window = { addEventListener: (type, act) => { if (type === 'storage') now.listeners.push(act); }, removeEventListener: (_, act) => { now.listeners = now.listeners.filter((one) => one !== act); } };
globalThis.document = { addEventListener() {}, removeEventListener() {}, hidden: false };

const within = (tab, act) => { now = tab; return act(); };

/* Delivers one change to a tab. */
function deliver(tab) {
  const [key, text] = tab.arriving.shift();
  within(tab, () => {
    if (text === null) tab.items.delete(key); else tab.items.set(key, text);
    tab.listeners.forEach((act) => act({ key, newValue: text }));
  });
}

const runTimer = (tab) => within(tab, () => tab.timers.shift()());

function settle() {
  for (let round = 0; tabs.some((tab) => tab.arriving.length + tab.timers.length > 0); round += 1) {
    assert.ok(round < 2000, 'tabs answer each other without end');
    const tab = pick(tabs.filter((one) => one.arriving.length > 0));
    if (tab) deliver(tab);
    else runTimer(pick(tabs.filter((one) => one.timers.length > 0)));
  }
}

let opened = 0;

/* Opens an analysis in tabs, each with its own module. */
async function openTabs(number, pgn) {
  const entry = { id: 'a', pgn, title: '', source: '', edited: true, changed: 1 };
  tabs = Array.from({ length: number }, () => ({ items: new Map([['analysis:a', JSON.stringify(entry)]]), arriving: [], listeners: [], timers: [], study: null }));
  for (const tab of tabs) {
    const { openStudy } = await import(`./study/study.js?tab=${opened += 1}`);
    within(tab, () => { tab.study = openStudy('a'); });
  }
}

const pgnOf = (tab) => toPgn(tab.study.state);
const nodeAt = (tree, path) => { const nodes = nodesOn(tree, path); return nodes.length > path.length ? nodes.at(-1) : null; };
const pathsIn = (node, path = []) => [path, ...node.children.flatMap((one) => pathsIn(one, [...path, one.uci]))];
const movesOf = (sans, fen = INITIAL) => sans.split(' ').reduce(([path, at], san) => { const move = playOne(at, san); return [[...path, move.uci], move.fen]; }, [[], fen])[0];

function add(tab, path, uci) {
  const { tree } = tab.study.state;
  tab.study.change({ tree: addMove(tree, path, playOne(nodeAt(tree, path).fen, uci)) }, path);
}

const remark = (tab, path, comment) => tab.study.change({ tree: alter(tab.study.state.tree, path, (node) => ({ ...node, comment })) }, path, { kind: `comment ${path}`, timed: `comment ${path}` });
const sign = (tab, path) => tab.study.change({ tree: alter(tab.study.state.tree, path, (node) => ({ ...node, nags: [1 + random(6)], marks: [`G${pick([...'abc'])}4`] })) }, path);
const raise = (tab, path) => tab.study.change({ tree: promote(tab.study.state.tree, path) }, path, { timed: `order ${path.slice(0, -1)}` });
const remove = (tab, path) => tab.study.change({ tree: removeLine(tab.study.state.tree, path) }, path);

// ---- random changes ----

/* What was added, and is not deleted by a tab that has seen it: moves by path, comments as [path, text]. */
const model = () => ({ moves: new Set(), texts: new Map() });

function change(tab, alive, step, deletes) {
  const { tree } = tab.study.state;
  const path = pick(pathsIn(tree));
  const kind = random(deletes ? 8 : 6);
  if (kind === 4) {
    if (path.length > 0) sign(tab, path);
  } else if (kind === 5) {
    raise(tab, path);
  } else if (kind < 2) {
    const move = pick(legalMoves(nodeAt(tree, path).fen));
    if (!move || nodeAt(tree, [...path, move.uci])) return;
    add(tab, path, move.uci);
    for (let i = 1; i <= path.length + 1; i += 1) alive.moves.add([...path, move.uci].slice(0, i).join());
  } else if (kind < 4) {
    const before = nodeAt(tree, path).comment;
    if (before) alive.texts.delete(before);
    remark(tab, path, `text-${step}-end`);
    alive.texts.set(`text-${step}-end`, path.join());
    for (let i = 1; i <= path.length; i += 1) alive.moves.add(path.slice(0, i).join());
  } else if (path.length > 1) {
    for (const gone of pathsIn(nodeAt(tree, path), path)) {
      alive.moves.delete(gone.join());
      alive.texts.delete(nodeAt(tree, gone).comment);
    }
    remove(tab, path);
  }
}

function compare(alive) {
  const [first, ...others] = tabs.map(pgnOf);
  for (const other of others) assert.equal(other, first, 'the tabs differ');
  for (const tab of tabs) assert.equal(within(tab, () => JSON.parse(localStorage.getItem('analysis:a')).pgn), first, 'the stored analysis');
  const { tree } = tabs[0].study.state;
  for (const path of alive.moves) assert.ok(nodeAt(tree, path.split(',')), `the move ${path} is lost`);
  for (const [text, path] of alive.texts) {
    const there = nodeAt(tree, path.split(',').filter(Boolean))?.comment === text;
    assert.ok(there || tabs[0].study.replaced.some((one) => one.path === path && one.text === text), `${text} at ${path} is lost`);
  }
}

async function randomTabs() {
  for (let round = 0; round < 24; round += 1) {
    await openTabs(2 + (round % 2), '1. e4 e5 2. Nf3 Nc6 *\n');
    const alive = model();
    for (let step = 0; step < 40; step += 1) {
      within(pick(tabs), () => change(now, alive, step, round % 3 === 2));
      for (const tab of tabs) while (tab.arriving.length > 0 && random(3) === 0) deliver(tab);
      for (const tab of tabs) if (tab.timers.length > 0 && random(4) === 0) runTimer(tab);
    }
    settle();
    compare(alive);
  }
}

// ---- cases ----

async function cases() {
  const moves = () => toPgn(tabs[0].study.state).split('\n\n')[1].replace(/\s+/g, ' ').trim();
  await openTabs(2, '1. e4 e5 *\n');
  const [one, two] = tabs;
  const at = movesOf('e4 e5');
  // Changes that cross: both are there, and undo removes only one's own.
  within(one, () => add(one, at, 'g1f3'));
  within(two, () => add(two, at, 'f2f4'));
  settle();
  assert.deepEqual([...tabs.map(pgnOf)], [pgnOf(one), pgnOf(one)]);
  assert.ok(['1. e4 e5 2. Nf3 (2. f4) *', '1. e4 e5 2. f4 (2. Nf3) *'].includes(moves()));
  within(one, () => one.study.undo(at));
  settle();
  assert.equal(moves(), '1. e4 e5 2. f4 *');
  within(one, () => one.study.redo(at));
  settle();
  within(two, () => two.study.undo(at));
  settle();
  assert.equal(moves(), '1. e4 e5 2. Nf3 *');
  // A comment that both change: the later is shown, the earlier kept. What one types in steps is one text.
  within(one, () => { for (const text of ['f', 'fi', 'first']) remark(one, at, text); });
  within(two, () => { for (const text of ['s', 'se', 'second']) remark(two, at, text); });
  settle();
  for (const tab of tabs) assert.deepEqual([nodeAt(tab.study.state.tree, at).comment, tab.study.replaced], ['second', [{ path: at.join(), text: 'first' }]]);
  within(one, () => one.study.dismiss(one.study.replaced[0]));
  settle();
  assert.deepEqual(two.study.replaced, []);
  // A line is deleted while the other tab adds to it.
  within(one, () => remove(one, at));
  within(two, () => add(two, [...at, 'g1f3'], 'b8c6'));
  settle();
  assert.equal(moves(), '1. e4 e5 { second } 2. Nf3 Nc6 *');
  within(one, () => remove(one, at));
  settle();
  assert.deepEqual(tabs.map(pgnOf).map((pgn) => pgn.split('\n\n')[1].trim()), ['1. e4 *', '1. e4 *']);
  // The analysis is deleted: a change that the other tab made before brings it back; so does a later change.
  within(one, () => one.study.remove());
  within(two, () => add(two, ['e2e4'], 'c7c5'));
  settle();
  assert.deepEqual([one.study.deleted, two.study.deleted, moves()], [false, false, '1. e4 c5 *']);
  within(one, () => one.study.remove());
  settle();
  assert.deepEqual([one.study.deleted, two.study.deleted], [true, true]);
  within(two, () => two.study.change({ tags: { ...two.study.state.tags, White: 'X' } }));
  within(one, () => one.study.change({ tags: { ...one.study.state.tags, Black: 'Y' }, result: '1-0' }));
  settle();
  assert.deepEqual(tabs.map((tab) => [tab.study.deleted, tab.study.state.tags.White, tab.study.state.tags.Black, tab.study.state.result]), [[false, 'X', 'Y', '1-0'], [false, 'X', 'Y', '1-0']]);
  // A full storage: nothing is lost, and the other tab gets it when there is room.
  full = true;
  within(one, () => add(one, movesOf('e4 c5'), 'g1f3'));
  assert.equal(one.study.kept, false);
  full = false;
  within(two, () => add(two, movesOf('e4 c5'), 'd2d4'));
  settle();
  within(one, () => add(one, movesOf('e4 c5 Nf3'), 'd7d6'));
  settle();
  assert.deepEqual([one.study.kept, pgnOf(one)], [true, pgnOf(two)]);
  for (const path of ['e4 c5 Nf3 d6', 'e4 c5 d4']) assert.ok(nodeAt(two.study.state.tree, movesOf(path)), path);
}

// ---- files ----

async function files() {
  const { blank, enter, enterAll, exported, removeEntry, renameFolder, restoreEntry } = await import('./study/entries.js');
  const { deleted, stored } = await import('./study/store.js');
  const tab = { items: new Map(), arriving: [], listeners: [], timers: [] };
  [tabs, now] = [[tab], tab];
  const text = '[Event "A"]\n[White "X"]\n\n1. e4 { one [%cal Ge2e4] } (1. d4 d5 $6) *\n\n[Event "A"]\n[White "Y"]\n\n*\n[Event "A"]\n\n1. c4 1-0\n';
  assert.deepEqual(splitGames(text).map((one) => /White "(.)"/.exec(one)?.[1]), ['X', 'Y', undefined]);
  assert.deepEqual(splitGames('1. e4 (1. d4 1-0) e5 2. Nf3 0-1 { after } 1. d4 *').length, 2);
  assert.deepEqual(splitGames(' \n').length, 0);
  const first = enterAll(text);
  assert.deepEqual([first.entries.length, first.folder, first.unkept], [3, 'A', 0]);
  assert.equal(enterAll(text).entries.length, 3);
  assert.equal(stored().length, 3, 'the same file again');
  renameFolder('A', 'My "lines"');
  const tree = addMove(plant(INITIAL), [], playOne(INITIAL, 'b3'));
  enter({ ...blank(), tree, tags: { Event: 'Z', ChapterName: 'Larsen' } }, '', true);
  enter({ ...blank('8/5k2/8/8/3K4/8/4P3/8 b - - 3 40') }, '', true);
  const state = () => stored().map((one) => [one.title, one.folder, one.pgn]).sort();
  const [before, file] = [state(), exported(stored())];
  assert.deepEqual([...new Set(before.map(([, folder]) => folder))].sort(), ['', 'My "lines"']);
  assert.ok(before.some(([title]) => title === 'Larsen'));
  enterAll(file);
  assert.deepEqual(state(), before, 'what is there is not added again');
  tab.items.clear();
  enterAll(file);
  assert.deepEqual(state(), before, 'the file in an empty browser');
  const [entry] = stored();
  removeEntry(entry.id);
  assert.deepEqual([stored().length, deleted().map((one) => one.id)], [4, [entry.id]]);
  restoreEntry(entry.id);
  assert.deepEqual([state(), deleted()], [before, []]);
  full = true;
  assert.deepEqual([enterAll('1. a4 *\n\n1. a3 *').unkept, stored().length], [2, 7]);
  full = false;
  process.stdout.write(file);
}

// ---- pasted texts ----

async function pasted() {
  const { complaint, meaning } = await import('./study/pasted.js');
  const after = (sans) => sans.split(' ').reduce((fen, san) => playOne(fen, san).fen, INITIAL);
  const lineOf = (text, here) => { const one = meaning(text, here); return [one.kind, one.from, one.ucis?.join(' '), one.wrong]; };
  const e4e5Nf3 = 'e2e4 e7e5 g1f3';
  for (const text of ['1.e4 e5 2.Nf3', '1. e4 e5 2. Nf3', 'e4 e5 Nf3', 'e2e4 e7e5 g1f3', 'e2e4,e7e5,g1f3', '1 .e4! e5?! 2.♘f3', ' e4\n e5\n\tNf3 ', '1…e4 e5 2 . Nf3']) {
    assert.deepEqual(lineOf(text, null), ['line', 'start', e4e5Nf3, null], text);
    assert.deepEqual(lineOf(text, INITIAL)[2], e4e5Nf3, text);
  }
  const italian = after('e4 e5 Nf3 Nc6 Bc4 Bc5');
  assert.deepEqual(lineOf('O-O Nf6 d3', italian), ['line', 'here', 'e1g1 g8f6 d2d3', null]);
  assert.deepEqual(lineOf('4. 0-0 Nf6 5. d3', italian), ['line', 'here', 'e1g1 g8f6 d2d3', null]);
  assert.deepEqual(lineOf('e1h1 g8f6', italian), ['line', 'here', 'e1g1 g8f6', null]);
  assert.deepEqual(lineOf('1. e4 e5 2. Nf3', italian), ['line', 'start', e4e5Nf3, null]);
  assert.deepEqual(lineOf('e4 e5 Nf3', italian), ['line', 'start', e4e5Nf3, null]);
  assert.deepEqual(lineOf('e4 e5 Ke3 Nf6', null), ['line', 'start', 'e2e4 e7e5', 'Ke3']);
  assert.deepEqual(lineOf('e7e8n', '7k/4P3/8/8/8/8/8/K7 w - - 0 1'), ['line', 'here', 'e7e8n', null]);
  assert.deepEqual(meaning('  r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\n'), { kind: 'position', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3' });
  assert.deepEqual(meaning('8/5k2/8/8/3K4/8/4P3/8 b'), { kind: 'position', fen: '8/5k2/8/8/3K4/8/4P3/8 b - - 0 1' });
  assert.equal(meaning('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1').kind, 'position', 'mate');
  for (const text of ['1. e4 e5 *', '[Event "x"]\n\n*', '1. e4 {good}', '1. e4 (1. d4)']) assert.equal(meaning(text).kind, 'games', text);
  assert.deepEqual(meaning('1. e4 *\n\n[Event "x"]\n\n1. d4 Ke5 1-0'), { kind: 'games', number: 2, problems: ['Ke5'] });
  for (const text of ['hello', '', '<b>', 'https://lichess.org/abc', '8/8/8/8/8/8/8/8 w - - 0 1', '42']) {
    assert.equal(meaning(text, INITIAL).kind, 'nothing', text);
    assert.ok(complaint(text).length > 10);
  }
}

await ({ tabs: randomTabs, cases, files, pasted })[process.argv[2]]();
