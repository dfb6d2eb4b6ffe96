/* SPDX-License-Identifier: MIT */
// The result of a position with few pieces, from the server's tablebases, below the moves of the explorer.

import { el, fillWhenThere } from '../base/dom.js';
import { tablebase } from '../base/api.js';
import { limits } from '../base/limits.js';
import { isPlacement } from '../base/rules.js';
import { loadSheet } from '../base/sheets.js';
import { count } from '../base/words.js';

const SHOWN = 12; // moves of each kind

const RULE = 'by the rule of 50 moves';
/* The words for the result of the side to move, and for a move after which the opponent has the result. */
const RESULTS = {
  win: ['wins', 'Losing'], 'maybe-win': [`wins, or it is drawn ${RULE}`, 'Perhaps losing'], 'cursed-win': [null, `Drawing ${RULE}`], draw: [null, 'Drawing'],
  'blessed-loss': [null, `Drawing ${RULE}`], 'maybe-loss': [`loses, or it is drawn ${RULE}`, 'Perhaps winning'], loss: ['loses', 'Winning'], unknown: [null, 'Not known'],
};

const men = (fen) => fen.split(' ')[0].replace(/[^a-z]/gi, '').length;

/* Whether the server has tables for the number of pieces. */
function isAsked(fen) {
  const most = limits()?.tablebase?.men ?? 0;
  return most > 0 && Boolean(fen) && isPlacement(fen) && men(fen) <= most;
}

/** Describes the result of a position: the sentence, and the distance. */
export function resultInWords(answer, fen) {
  const side = fen.split(' ')[1] === 'b' ? 'Black' : 'White';
  if (answer.checkmate) return [`${side} is mated`, ''];
  if (answer.stalemate) return ['Stalemate', ''];
  if (answer.insufficient_material) return ['Drawn: no side can mate', ''];
  if (answer.category === 'unknown') return ['No tablebase has this position', ''];
  const words = RESULTS[answer.category][0];
  const distance = answer.dtz ? `${count(Math.abs(answer.dtz))} ${Math.abs(answer.dtz) === 1 ? 'ply' : 'plies'} to a capture, a pawn move or mate` : '';
  return [words ? `${side} ${words}` : answer.category === 'draw' ? 'Drawn' : `Drawn ${RULE}`, distance];
}

/** Groups moves by their result, in the order of the answer: [words, moves]. */
export function kinds(moves) {
  const groups = new Map();
  for (const move of moves) {
    const words = RESULTS[move.category][1];
    groups.set(words, [...(groups.get(words) ?? []), move]);
  }
  return [...groups];
}

function choice(move, href) {
  const far = move.checkmate ? 'mate' : move.dtz ? String(Math.abs(move.dtz)) : '';
  return el('span', { class: 'choice' }, el('a', { href: href(move.uci) }, move.san), far && el('small', { title: 'plies to a capture, a pawn move or mate' }, ` ${far}`));
}

function draw(answer, fen, href) {
  const [result, distance] = resultInWords(answer, fen);
  const known = answer.moves.some((move) => move.category !== 'unknown');
  return [el('p', {}, el('strong', {}, result), distance && el('span', { class: 'hint' }, ` · ${distance}`)),
    ...(known ? kinds(answer.moves) : []).map(([words, moves]) => el('p', {}, el('span', { class: 'kind' }, words), ...moves.slice(0, SHOWN).map((move) => choice(move, href)),
      moves.length > SHOWN && el('span', { class: 'hint' }, `and ${count(moves.length - SHOWN)} more`)))];
}

/** Creates the part. href(uci) is the address after a move. Returns {element, set(params, fen)}, to be called for each
 * position. The element is hidden if the server has no tables for the number of pieces. */
export function createTablebase(href) {
  const element = el('div', { class: 'tablebase', role: 'group', 'aria-label': 'Tablebase', hidden: true });
  let request = null;
  function set(params, fen) {
    request?.abort();
    element.hidden = !isAsked(fen);
    if (element.hidden) {
      element.replaceChildren();
      element.removeAttribute('aria-busy');
      return;
    }
    request = new AbortController();
    const answered = Promise.all([tablebase(params, request.signal), loadSheet('explore/tablebase.css')]).catch((error) => {
      if (!error.final) throw error;
      element.hidden = true; // the error is shown once, in place of the moves
      return [null];
    });
    fillWhenThere(element, answered, ([answer]) => (answer ? draw(answer, fen, href) : []), () => set(params, fen));
  }
  return { element, set };
}
