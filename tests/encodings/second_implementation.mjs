// Compares the second implementation of doc/encodings.md with the library.
//
// second_implementation.mjs STAMMA VALUES [PGN...]: at least VALUES values of each code, from the PGN files and from random games.

import { readFileSync } from 'node:fs';
import { compareMoves } from './compare_moves.mjs';
import { pgnGames, randomGame, randomNumbers } from './test_games.mjs';

const [stamma, values, ...files] = process.argv.slice(2);
const counts = new Map();

function report(name, message) {
  const count = counts.get(name) ?? { values: 0, wrong: 0 };
  counts.set(name, count);
  count.values++;
  if (message && count.wrong++ < 3) console.log(message);
}

// Half of the plies are those of the files, the others are random.
function* games(plies) {
  let used = 0;
  const share = plies / 2 / Math.max(files.length, 1);
  files.forEach((file, index) => 0);
  for (const [index, file] of files.entries())
    for (const game of pgnGames(readFileSync(file, 'utf8'))) {
      if (used >= share * (index + 1)) break;
      used += game.moves.length;
      yield game;
    }
  const random = randomNumbers(44);
  while (used < plies) {
    const game = randomGame(random, 160);
    used += game.moves.length;
    if (game.moves.length) yield game;
  }
}

for (const game of games(Number(values))) compareMoves(stamma, game, report);
for (const [name, { values: compared, wrong }] of counts) console.log(`${name}: ${compared} values, ${wrong} wrong`);
process.exit([...counts.values()].some(count => count.wrong) ? 1 : 0);
