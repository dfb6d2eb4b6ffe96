/* SPDX-License-Identifier: MIT */
// The explanation of the surprise of a move.

import { el } from './dom.js';
import { explanation } from './explain.js';

const inWords = () => [
  el('p', {}, 'How surprising the move is, in bits: −log₂ of the probability that the move predictor gives it. 1\u00a0bit: expected in one game of two; 5\u00a0bits: in one of 32.'),
  el('p', {}, 'The predictor knows the moves that led to the position. The number can therefore differ if the position is reached by other moves, or set up from a FEN.')];

/** Returns the word as a button that opens the explanation. */
export const surprise = (label = 'Surprise') => explanation(label, inWords, {}, true);
