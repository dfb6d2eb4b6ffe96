/* SPDX-License-Identifier: MIT */
// Run by page_modules.sh: repertoires, spaced repetition and gaps. Times are arguments: no clock is read.
import assert from 'node:assert/strict';
import { fromPgn } from './study/pgn.js';
import { INITIAL, key } from './base/rules.js';
import * as lines from './training/lines.js';
import { findGaps } from './training/opponents.js';
import * as schedule from './training/schedule.js';
import * as store from './training/training_store.js';
import { runChecks } from './run_checks.mjs';

const [MINUTE, DAY] = [60000, 86400000];
const NOW = Date.UTC(2026, 0, 1);

const repertoire = (pgn, color = 'white', all = true) => lines.fromAnalysis(fromPgn(pgn).tree, color, all);
const asked = (one) => lines.cards(lines.positions(one)).map((card) => [card.sans.join(' '), [...card.moves.values()].map((move) => move.san).join(' ')]);

const checks = {
  'right answers are asked later, wrong ones soon'() {
    let card;
    const waits = [];
    for (let i = 0; i < 9; i += 1) {
      card = schedule.answered(card, true, NOW);
      waits.push((card.due - NOW) / DAY);
    }
    assert.deepEqual(waits, [1, 3, 7, 16, 35, 90, 180, 180, 180]);
    card = schedule.answered(card, false, NOW + DAY);
    assert.deepEqual(card, { box: 0, due: NOW + DAY + 10 * MINUTE, right: 9, wrong: 1 });
    assert.equal(schedule.answered(card, true, NOW).due, NOW + DAY);
    assert.deepEqual([schedule.isDue(card, card.due - 1), schedule.isDue(card, card.due), schedule.isDue(undefined, NOW)], [false, true, false]);
  },
  'a session has due cards first'() {
    const card = (due, box = 1) => ({ box, due, right: 1, wrong: 0 });
    const cards = { a: card(NOW + 1), b: card(NOW), c: card(NOW - DAY, 5) };
    const keys = ['new', 'a', 'b', 'c', 'newer'];
    assert.deepEqual(schedule.session(keys, cards, NOW, 9), ['c', 'b', 'new', 'newer']);
    assert.deepEqual(schedule.session(keys, cards, NOW, 3), ['c', 'b', 'new']);
    assert.deepEqual(schedule.summary(keys, cards, NOW), { all: 5, due: 2, fresh: 2, known: 1, right: 3, wrong: 0, next: NOW + 1 });
    assert.equal(schedule.summary(['new'], cards, NOW).next, null);
    assert.deepEqual([schedule.afterAnswer(['a', 'b'], true), schedule.afterAnswer(['a', 'b'], false)], [['b'], ['b', 'a']]);
    assert.deepEqual([1, 10 * MINUTE, 90 * MINUTE, DAY, 3 * DAY].map(schedule.ahead), ['in 1 minute', 'in 10 minutes', 'in 2 hours', 'in 1 day', 'in 3 days']);
  },
  'positions of a PGN, with transpositions, marks and signs'() {
    const pgn = '1. d4 (1. Nf3 d5 2. d4) (1. f3? e5 2. g4) d5 2. Nf3 Nf6 (2... e6 3. c4) 3. c4 *';
    assert.deepEqual(asked(repertoire(pgn)), [['', 'd4 Nf3'], ['d4 d5', 'Nf3'], ['Nf3 d5', 'd4'], ['d4 d5 Nf3 Nf6', 'c4'], ['d4 d5 Nf3 e6', 'c4']]);
    assert.deepEqual(asked(repertoire(pgn, 'white', false)), [['', 'd4'], ['d4 d5', 'Nf3'], ['d4 d5 Nf3 Nf6', 'c4'], ['d4 d5 Nf3 e6', 'c4']]);
    assert.deepEqual(asked(repertoire(pgn, 'black')).map(([line]) => line), ['d4', 'Nf3', 'f3', 'd4 d5 Nf3']);
    const twice = repertoire('1. d4 d5 (1... Nf6 2. c4 d5) 2. c4 Nf6 3. Nc3 *');
    assert.deepEqual(asked(twice).at(-1), ['d4 d5 c4 Nf6', 'Nc3'], 'one card for a position that two lines reach');
    assert.equal(asked(twice).length, 4);
    assert.equal(lines.isOwn({ color: 'white', fen: '8/8/8/8/8/8/8/K1k5 b - - 0 1' }, 1), true);
  },
  'changes'() {
    const before = repertoire('1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *');
    const added = lines.addMove(before, ['e2e4', 'e7e5', 'f1c4'], 'Bc4');
    assert.deepEqual(asked(added).map(([, moves]) => moves), ['e4', 'Nf3 Bc4', 'Nf3']);
    assert.deepEqual(asked(lines.setMark(added, ['e2e4', 'e7e5', 'g1f3'], false)).map(([, moves]) => moves), ['e4', 'Bc4', 'Nf3']);
    assert.deepEqual(asked(lines.removeMove(added, ['e2e4', 'e7e5'])).map(([line]) => line), ['', 'e4 c5']);
    assert.deepEqual(lines.after(lines.addMove(before, ['e2e4', 'a7a6'], 'a6'), ['e2e4']).at(-1), { uci: 'a7a6', san: 'a6', mark: false, moves: [] });
    assert.equal(asked(before).length, 3, 'the old tree is unchanged');
    assert.deepEqual(lines.movesOn(before, ['e2e4', 'a7a6']).length, 1);
  },
  'a report'() {
    const node = (uci, san, games, moves = []) => ({ uci, san, games, moves });
    const nodes = [node('d2d4', 'd4', 3), node('e2e4', 'e4', 5, [node('c7c5', 'c5', 2), node('e7e5', 'e5', 3, [node('g1f3', 'Nf3', 3)])])];
    assert.deepEqual(asked(lines.fromReport(nodes, 'white', false)), [['', 'e4'], ['e4 e5', 'Nf3']]);
    assert.deepEqual(asked(lines.fromReport(nodes, 'white', true))[0], ['', 'e4 d4']);
    assert.deepEqual(asked(lines.fromReport(nodes, 'black', false)), [['e4', 'e5']]);
  },
  async 'gaps'() {
    const own = repertoire('1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *');
    const found = lines.positions(own);
    const games = { 'e4': [['e7e5', 50], ['c7c5', 30], ['e7e6', 20]], 'e4 e5 Nf3': [['b8c6', 60], ['g8f6', 40]], 'e4 c5 Nf3': [['d7d6', 99], ['a7a6', 1]], 'e4 e5 Nf3 Nc6 Bb5': [] };
    const gaps = await findGaps(found, key(INITIAL), async (position) => games[position.sans.join(' ')].map(([uci, n]) => ({ uci, games: n })));
    assert.deepEqual(gaps.map((gap) => [gap.sans.join(' '), Number(gap.expected.toFixed(6)), gap.games, gap.all]), [['e4 c5 Nf3 d6', 29.7, 99, 100], ['e4 e6', 20, 20, 100], ['e4 e5 Nf3 Nf6', 20, 40, 100]]);
  },
  'files'() {
    const entry = { id: 'a1', name: 'e4', ...repertoire('1. e4 e5 2. Nf3 *'), cards: { x: schedule.answered(undefined, true, NOW) }, changed: NOW };
    assert.deepEqual(store.fromFile(store.toFile([entry])), [entry]);
    assert.deepEqual(JSON.parse(store.toFile([entry])).repertoires[0].cards.x.box, 1);
    for (const text of ['', '{}', '[1]', '{"form":"stamma repertoires","repertoires":[{"id":"../x","name":"","fen":"x"}]}']) assert.throws(() => store.fromFile(text), /no repertoires/);
    const hostile = store.readEntry({ ...entry, moves: [{ uci: '<img>', san: 'x' }, { uci: 'e2e4', san: 'e4', mark: 1, moves: 7 }], cards: { a: { box: 'x' }, b: { box: 99, due: 1, right: 0, wrong: 0 } }, changed: 'x' });
    assert.deepEqual([hostile.moves, hostile.cards, hostile.changed], [[{ uci: 'e2e4', san: 'e4', mark: false, moves: [] }], { b: { box: 7, due: 1, right: 0, wrong: 0 } }, 0]);
    assert.equal(store.bring([entry]), 1);
    assert.equal(store.bring([{ ...entry, changed: NOW - 1 }]), 0, 'later changes are kept');
    assert.deepEqual(store.stored(), [entry]);
    store.forget('a1');
    assert.deepEqual(store.stored(), []);
  },
};

await runChecks(checks);
