/* SPDX-License-Identifier: MIT */
// Openings, games and positions that the view Encodings offers.

/** [name, moves in UCI, FEN of the start]. */
export const EXAMPLES = [
  ['Italian Game', 'e2e4,e7e5,g1f3,b8c6,f1c4,f8c5'],
  ['Najdorf Variation', 'e2e4,c7c5,g1f3,d7d6,d2d4,c5d4,f3d4,g8f6,b1c3,a7a6'],
  ["Queen's Gambit", 'd2d4,d7d5,c2c4,e7e6,b1c3,g8f6,c1g5,f8e7'],
  ['Opera Game, 1858', 'e2e4,e7e5,g1f3,d7d6,d2d4,c8g4,d4e5,g4f3,d1f3,d6e5,f1c4,g8f6,f3b3,d8e7,b1c3,c7c6,c1g5,b7b5,c3b5,c6b5,c4b5,b8d7,e1c1,a8d8,d1d7,d8d7,h1d1,e7e6,b5d7,f6d7,b3b8,d7b8,d1d8'],
  ['Immortal Game, 1851', 'e2e4,e7e5,f2f4,e5f4,f1c4,d8h4,e1f1,b7b5,c4b5,g8f6,g1f3,h4h6,d2d3,f6h5,f3h4,h6g5,h4f5,c7c6,g2g4,h5f6,h1g1,c6b5,h2h4,g5g6,h4h5,g6g5,d1f3,f6g8,c1f4,g5f6,b1c3,f8c5,c3d5,f6b2,f4d6,c5g1,e4e5,b2a1,f1e2,b8a6,f5g7,e8d8,f3f6,g8f6,d6e7'],
  ['Promotion', 'e7f8n', 'r2q1rk1/p1ppPppp/1p6/8/8/8/PPPP1PPP/RNBQKBNR w KQ - 0 1'],
  ['En passant', 'e5d6', 'rnbqkbnr/ppp1pp1p/6p1/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3'],
  ['Three queens', 'd2d7', '2k5/8/8/8/8/1Q6/3Q3Q/6K1 w - - 0 1'],
  ['Chess960', 'c1f1', '1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1'],
];
