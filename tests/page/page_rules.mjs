/* SPDX-License-Identifier: MIT */
// Compares the page's rules of chess with the positions of page_rules.py on stdin. Run by page_rules.sh.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { legalMoves, play, playOne } from './base/rules.js';
import { isCheck, readPosition, writePosition } from './base/position.js';

let [positions, moves] = [0, 0];
for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { fen, check, moves: wanted } = JSON.parse(line);
  const found = legalMoves(fen).map(({ uci, san }) => [uci, san, play(fen, [uci]).fens[1]]);
  assert.deepEqual(found.sort(), wanted.sort(), fen);
  assert.equal(writePosition(readPosition(fen)), fen);
  assert.equal(isCheck(readPosition(fen)), check, fen);
  for (const [uci, san, after] of wanted) {
    assert.deepEqual(playOne(fen, san), { uci, san, fen: after }, `${san} in ${fen}`);
    assert.equal(playOne(fen, uci)?.fen, after, `${uci} in ${fen}`);
  }
  assert.equal(playOne(fen, '--') === null, check, fen);
  positions += 1;
  moves += wanted.length;
}
assert.ok(positions > 800 && moves > 20000, `${positions} positions`);

const kiwi = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1';
for (const [text, uci] of [['0-0', 'e1g1'], ['0-0-0', 'e1c1'], ['OO', 'e1g1'], ['e1h1', 'e1g1'], ['Nxd7!?', 'e5d7'], ['Ne5-g6', 'e5g6'], ['Ne5:g6', 'e5g6'], ['Pa3', 'a2a3'], ['d5e6', 'd5e6']])
  assert.equal(playOne(kiwi, text)?.uci, uci, text);
for (const text of ['', 'e5', 'Ke3', 'Nd1e', 'Nb', 'O-O-O-O', 'a4a5', 'z1z2', 'Qf3f3', 'hxg3']) assert.equal(playOne(kiwi, text), null, text);
assert.equal(playOne('7k/8/8/8/8/8/8/QQ4QK w - - 0 1', 'Qd1'), null, 'three queens can');
assert.equal(playOne('8/P7/8/8/8/8/8/K1k5 w - - 0 1', 'a8'), null, 'to which piece?');
assert.equal(playOne('8/P7/8/8/8/8/8/K1k5 w - - 0 1', 'a8R')?.uci, 'a7a8r');
for (const fen of ['', 'nonsense', '8/8/8/8/8/8/8/8 w - - 0 1', 'kk6/8/8/8/8/8/8/K7 w - - 0 1', 'P6k/8/8/8/8/8/8/K7 w - - 0 1']) assert.deepEqual(legalMoves(fen), [], fen);
console.log(`${positions} positions, ${moves} moves`);
