/* SPDX-License-Identifier: MIT */
// Compares the perft numbers of chess_rules.mjs with those of at most NODES nodes in the files of a perft suite:
// perft_check.mjs NODES FILE...

import { readFileSync } from 'node:fs';
import { perft } from './chess_rules.mjs';
import { readFen } from './chess_notation.mjs';

const most = Number(process.argv[2]);
let checked = 0, wrong = 0;
for (const file of process.argv.slice(3)) {
  let fen = '';
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'epd') fen = rest.join(' ');
    if (word !== 'perft' || Number(rest[1]) > most) continue;
    checked++;
    const nodes = perft(readFen(fen), Number(rest[0]));
    if (nodes !== Number(rest[1])) { wrong++; console.log(`${fen}: depth ${rest[0]}: ${nodes}, not ${rest[1]}`); }
  }
}
console.log(`${checked} perft numbers, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
