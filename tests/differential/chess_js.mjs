/* SPDX-License-Identifier: MIT */
// Compares the lines of dump_games on stdin with chess.js: FEN, SAN of the move played, and the set of legal moves.
// Exits with status 1 at the first difference.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
const { Chess } = createRequire(`${process.env.MODULES}/`)('chess.js');

let chess = null;
let passed = '-'; // the square that the last move crossed, if it was a double push
let positions = 0;

function differ(what, ours, theirs, fen) {
    console.log(`${what} in ${fen}\n  stamma:   ${ours}\n  chess.js: ${theirs}`);
    process.exit(1);
}

// chess.js reports an en passant square only if an enemy pawn is next to the pushed pawn. The standard (16.1.3.4)
// always requires the square.
function fenOf(chess) {
    const fields = chess.fen({ forceEnpassantSquare: true }).split(' ');
    if (fields[3] === '-') fields[3] = passed;
    return fields.join(' ');
}

function play(uci) {
    const move = chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
    passed = move.isBigPawn() ? move.from[0] + (move.color === 'w' ? '3' : '6') : '-';
    return move.san;
}

for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'game') {
        chess = null;
        passed = '-';
        continue;
    }
    const [fen, uci, san, , moves] = line.split('\t');
    chess ??= new Chess(fen);
    if (fenOf(chess) !== fen) differ('FEN', fen, fenOf(chess), fen);
    const ours = moves.split(' ').sort().join(' ');
    const theirs = chess.moves().sort().join(' ');
    if (ours !== theirs) differ('legal moves', ours, theirs, fen);
    positions++;
    if (uci) {
        const theirSan = play(uci);
        if (theirSan !== san) differ('SAN', san, theirSan, fen);
    }
}
console.log(`${positions} positions agree with chess.js`);
process.exit(positions > 0 ? 0 : 1);
