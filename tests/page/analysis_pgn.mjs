/* SPDX-License-Identifier: MIT */
// Exercises the trees of analyses and their PGN. Started by analysis_pgn.sh.
//
// node analysis_pgn.mjs random     prints random trees as {pgn, tree}, one per line
// node analysis_pgn.mjs read FILE  prints the tree of each game of a PGN file, one per line
// node analysis_pgn.mjs edit       checks changes of trees
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { addMove, alter, alternatives, asGame, branch, existing, nodesOn, onward, plant, promote, removeLine } from './study/move_tree.js';
import { fromPgn, plainComment, toPgn } from './study/pgn.js';
import { isMark } from './board/marks.js';
import { createHistory } from './study/history.js';
import { INITIAL, legalMoves, playOne } from './base/rules.js';

let seed = 28;
const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor((seed / 2147483648) * n); };
const pick = (list) => list[random(list.length)];

const WORDS = ['good', 'e4?', '%', '(sic)', '12...', 'Zürich', '"x"', '50', '%', '; no', '1-0', '*', 'a\\b', '$3', '[x]', '...'];
const words = () => plainComment(Array.from({ length: random(30) }, () => pick(WORDS)).join(' '));
const square = () => pick([...'abcdefgh']) + (1 + random(8));
const mark = () => pick([...'GRYB']) + square() + (random(2) ? square() : '');

function decorated(node) {
  const marks = Array.from({ length: random(4) }, mark).filter(isMark);
  return { ...node, comment: random(3) ? '' : words(), marks: random(3) ? [] : [...new Set(marks)], commands: random(4) ? '' : '[%clk 0:01:02]',
    nags: random(2) ? [] : [1 + random(6)] };
}

const START = [INITIAL, '8/5k2/8/8/3K4/8/4P3/8 b - - 3 40', 'r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 7 8', 'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1'];

function grown() {
  let tree = { ...plant(pick(START)), comment: random(2) ? '' : words() };
  const paths = [[]];
  for (let i = 0; i < 40; i += 1) {
    const path = random(3) ? paths.at(-1) : pick(paths);
    const move = pick(legalMoves(nodesOn(tree, path).at(-1).fen));
    if (!move) continue;
    tree = addMove(tree, path, playOne(nodesOn(tree, path).at(-1).fen, move.uci));
    paths.push([...path, move.uci]);
    tree = alter(tree, paths.at(-1), decorated);
  }
  return tree;
}

// A tree as nested lists, in the form that analysis_pgn.py also makes.
const plain = (node) => [node.uci, node.comment, node.commands, [...node.marks].sort(), [...node.nags].sort(), node.children.map(plain)];

function randomTrees() {
  for (let i = 0; i < 30; i += 1) {
    const tree = grown();
    const pgn = toPgn({ tags: { Event: 'A "b" \\ c', White: 'X' }, tree, result: pick(['*', '1-0', '0-1', '1/2-1/2']) });
    const again = fromPgn(pgn);
    assert.deepEqual(plain(again.tree), plain(tree));
    assert.equal(again.tags.Event, 'A "b" \\ c');
    assert.deepEqual(again.problems, []);
    assert.equal(toPgn(again), pgn);
    assert.ok(pgn.split('\n').every((line) => !line.startsWith('%')));
    console.log(JSON.stringify({ pgn, tree: plain(tree) }));
  }
}

function read(file) {
  const games = readFileSync(file, 'utf8').split(/\n(?=\[Event )/).filter((text) => !text.includes('Chess960'));
  for (const text of games) {
    const { tree, problems, result } = fromPgn(text);
    assert.deepEqual(problems, []);
    console.log(JSON.stringify([result, plain(tree)]));
  }
}

function line(...sans) {
  let tree = plant(INITIAL);
  let path = [];
  for (const san of sans) {
    const move = playOne(nodesOn(tree, path).at(-1).fen, san);
    tree = addMove(tree, path, move);
    path = [...path, move.uci];
  }
  return tree;
}

const grow = (tree, path, san) => addMove(tree, path, playOne(nodesOn(tree, path).at(-1).fen, san));
const text = (tree) => toPgn({ tags: {}, tree, result: '*' }).split('\n\n')[1].trim();

function undoes() {
  const states = ['e4', 'e4 e5', 'e4 e5 Nf3', 'e4 e5 Nf3 Nc6'].map((sans) => ({ tags: {}, tree: line(...sans.split(' ')), result: '*' }));
  const steps = createHistory();
  steps.push(states[0], states[1], ['e2e4']);
  steps.push(states[1], states[2], ['a'], 'comment');
  steps.push(states[2], states[3], ['b'], 'comment'); // joined with the last
  assert.deepEqual(steps.undo(states[3], ['c']), { state: states[1], path: ['a'] });
  assert.deepEqual(steps.undo(states[1], ['d']), { state: states[0], path: ['e2e4'] });
  assert.equal(steps.undo(states[0], []), null);
  assert.deepEqual(steps.redo(states[0], []), { state: states[1], path: ['d'] });
  assert.deepEqual(steps.redo(states[1], []), { state: states[3], path: ['c'] });
  assert.equal(steps.redo(states[3], []), null);
}

function edit() {
  let tree = line('e4', 'e5', 'Nf3');
  tree = grow(tree, ['e2e4'], 'c5');
  tree = grow(tree, ['e2e4', 'c7c5'], 'd4');
  tree = grow(tree, [], 'd4');
  assert.equal(text(tree), '1. e4 (1. d4) 1... e5 (1... c5 2. d4) 2. Nf3 *');
  assert.equal(addMove(tree, ['e2e4'], playOne(nodesOn(tree, ['e2e4']).at(-1).fen, 'e5')).children[0].children.length, 2, 'a move that is there');
  assert.deepEqual([branch(tree, ['e2e4', 'c7c5', 'd2d4']), branch(tree, ['e2e4', 'e7e5']), branch(tree, [])], [2, 0, 0]);
  assert.equal(text(promote(tree, ['e2e4', 'c7c5', 'd2d4'])), '1. e4 (1. d4) 1... c5 (1... e5 2. Nf3) 2. d4 *');
  assert.equal(text(promote(tree, ['d2d4'])), '1. d4 (1. e4 e5 (1... c5 2. d4) 2. Nf3) *');
  assert.equal(promote(tree, ['e2e4']), tree);
  assert.equal(text(removeLine(tree, ['e2e4', 'e7e5'])), '1. e4 (1. d4) 1... c5 2. d4 *');
  assert.equal(text(removeLine(tree, ['d2d4'])), '1. e4 e5 (1... c5 2. d4) 2. Nf3 *');
  assert.deepEqual(existing(tree, ['e2e4', 'a7a6', 'a2a3']), ['e2e4']);
  assert.deepEqual(onward(tree, ['e2e4']), ['e2e4', 'e7e5', 'g1f3']);
  assert.deepEqual(alternatives(tree, ['e2e4', 'c7c5']), [['e2e4', 'e7e5'], ['e2e4', 'c7c5']]);
  const { game, paths } = asGame(tree, '*');
  assert.deepEqual(game.variations.map((one) => [one.ply, one.within, one.san.join(' ')]), [[1, null, 'd4'], [2, null, 'c5 d4']]);
  assert.deepEqual([paths(3, null), paths(3, 1), paths(1, 0)], [['e2e4', 'e7e5', 'g1f3'], ['e2e4', 'c7c5', 'd2d4'], ['d2d4']]);
  undoes();
  for (const [pgn, wanted, problems] of [
    ['1.e4 e5 2.0-0 Nf6', '1. e4 e5 *', ['0-0']], ['1. e4! $5 (1. d4) *', '1. e4 $1 $5 (1. d4) *', []], ['(1. e4) 1. d4', '1. d4 *', []],
    ['1. e4 (1. x5 e5) e5', '1. e4 e5 *', ['x5']], ['1. e4 ; rest of the line\n% an escape\ne5 1/2-1/2', '1. e4 { rest of the line } 1... e5 1/2-1/2', []],
    ['1. e4 ({ first } 1. d4 { then }) e5 ) 2. Nf3', '1. e4 ({ first } 1. d4 { then }) 1... e5 2. Nf3 *', []],
    ['1 e4 e5 2 Nf3 {open', '1. e4 e5 2. Nf3 { open } *', []], ['1. e4 +/- e5 ∓', '1. e4 $16 e5 $17 *', []]]) {
    const one = fromPgn(pgn);
    assert.deepEqual([toPgn(one).split('\n\n')[1].trim(), one.problems], [wanted, problems], pgn);
  }
  assert.equal(fromPgn('nothing of chess'), null);
  assert.deepEqual(['Ge4', 'Re4e5', 'e4', 'Xe4', 'Ge4e4', 'Ge9'].map(isMark), [true, true, false, false, false, false]);
}

({ random: randomTrees, read: () => read(process.argv[3]), edit })[process.argv[2]]();
