/* SPDX-License-Identifier: MIT */
// Compares the second implementation of doc/reference/encodings.md with the library.
//
// second_implementation.mjs STAMMA VALUES GROUP [PGN...]: at least VALUES values of each code of a group (moves, games or
// positions), half of them from the PGN files if there are any, the others from random games; and decoding: VALUES games.

import { readFileSync } from 'node:fs';
import { afterMove } from './chess_rules.mjs';
import { readFen } from './chess_notation.mjs';
import { compareDecoding } from './compare_decoding.mjs';
import { compareGames } from './compare_games.mjs';
import { compareMoves } from './compare_moves.mjs';
import { comparePositions } from './compare_positions.mjs';
import { readBook } from './game_codes.mjs';
import { GameNode } from './game_tree.mjs';
import { readWeights } from './move_predictor.mjs';
import { pgnGames, randomGame, randomNumbers } from './test_games.mjs';

const WEIGHTS = 'src/model/predict_weights.c.bin', BOOK = 'data/book_lines.txt';

const [stamma, values, group, ...files] = process.argv.slice(2);
const counts = new Map();

function report(name, message) {
  const count = counts.get(name) ?? { values: 0, wrong: 0 };
  counts.set(name, count);
  count.values++;
  if (message && count.wrong++ < 3) console.log(message);
}

function* gamesOfFiles(plies) {
  for (const file of files) {
    let used = 0;
    for (const game of pgnGames(readFileSync(file, 'utf8'))) {
      if (used >= plies / files.length) break;
      used += game.moves.length;
      yield game;
    }
  }
}

// Games with at least a number of plies.
function* games(plies) {
  const random = randomNumbers(44);
  let used = 0;
  for (const game of gamesOfFiles(plies / 2)) { used += game.moves.length; yield game; }
  while (used < plies) {
    const game = randomGame(random, 160);
    used += game.moves.length;
    if (game.moves.length) yield game;
  }
}

// Some positions of each game: those in which en passant seems possible and every fifth of the others.
function* positionsOf(game) {
  let position = readFen(game.fen || undefined);
  for (const [ply, move] of game.moves.entries()) {
    position = afterMove(position, move);
    if (position.passed >= 0 || ply % 5 === 0) yield position;
  }
}

function compareAllPositions() {
  let positions = [];
  for (const game of games(5 * values)) {
    positions.push(...positionsOf(game));
    if (positions.length < 2000) continue;
    comparePositions(stamma, positions, report);
    positions = [];
  }
  if (positions.length) comparePositions(stamma, positions, report);
}

function compareAllGames() {
  const weights = readWeights(WEIGHTS), book = readBook(new GameNode(readFen()), readFileSync(BOOK, 'utf8'));
  for (const game of games(values)) compareGames(stamma, game, report, { weights, book });
}

// A game of 60 plies for each value.
function compareAllDecoding() {
  const random = randomNumbers(45);
  for (let game = 0; game < values;) {
    const one = randomGame(random, 60);
    if (!one.moves.length) continue;
    compareDecoding(stamma, one, report, random);
    game++;
  }
}

if (group === 'moves') for (const game of games(values)) compareMoves(stamma, game, report);
if (group === 'games') compareAllGames();
if (group === 'positions') compareAllPositions();
if (group === 'decoding') compareAllDecoding();
for (const [name, { values: compared, wrong }] of counts) console.log(`${name}: ${compared} values, ${wrong} wrong`);
process.exit([...counts.values()].some(count => count.wrong) ? 1 : 0);
