/* SPDX-License-Identifier: MIT */
// A session of spaced repetition: the board shows a position, and the user plays the move of the repertoire.

import { announce, el } from '../base/dom.js';
import { pointAt, showBelow, showPosition } from '../board/column.js';
import { lineNodes } from '../players/player_line.js';
import { legalMoves } from '../base/rules.js';
import { afterAnswer, ahead, answered, session, summary } from './schedule.js';
import { count } from '../base/words.js';

const FEW = 20; // cards of a session
const IDLE = { ply: 0, length: 0, step() {} };

function numbers(state) {
  const card = (label, value) => el('div', { class: 'card' }, el('dt', {}, label), el('dd', {}, value));
  const tried = state.right + state.wrong;
  return el('dl', { class: 'cards' }, card('Due', count(state.due)), card('New', count(state.fresh)), card('Known well', `${count(state.known)} of ${count(state.all)}`),
    card('Right answers', tried > 0 ? `${Math.round((100 * state.right) / tried)} %` : '–'));
}

/** Creates a session in `target`. cards: positions (lines.js); entry; save(key, state), which stores the state of a card;
 * clock(), the time. Returns {running}, whether a card is asked. */
export function createDrill(target, { cards, entry, save, clock = Date.now }) {
  const byKey = new Map(cards.map((one) => [one.key, one]));
  let states = entry.cards;
  let [queue, total, failed, message] = [[], 0, false, ''];

  const current = () => byKey.get(queue[0]);
  const sansOf = (card) => [...card.moves.values()].map((move) => move.san).join(' or ');

  function record(right) {
    states = { ...states, [queue[0]]: answered(states[queue[0]], right, clock()) };
    save(queue[0], states[queue[0]]);
  }

  function next(right) {
    queue = afterAnswer(queue, right);
    failed = false;
    show();
  }

  function fail(text) {
    if (!failed) record(false);
    failed = true;
    message = text;
    show();
  }

  function play(move) {
    const card = current();
    const known = card.moves.has(move.uci);
    if (failed) { if (known) { message = ''; next(false); } else show(); return; }
    if (!known) { fail(`${move.san} is not in the repertoire: ${sansOf(card)} is.`); return; }
    message = `Right: ${move.san}.`;
    record(true);
    next(true);
  }

  function show() {
    if (queue.length === 0) { over(); return; }
    const card = current();
    const side = entry.color === 'white' ? 'White' : 'Black';
    showPosition(card.fen, { ...IDLE, play }, { moves: legalMoves(card.fen) });
    showBelow();
    pointAt(failed ? [...card.moves.keys()][0] : null);
    const buttons = failed ? [el('button', { type: 'button', class: 'continue', onclick: () => { message = ''; next(false); } }, 'Continue')]
      : [el('button', { type: 'button', onclick: () => fail(`The move is ${sansOf(card)}.`) }, 'Show the move')];
    target.replaceChildren(el('p', { class: 'drill-place' }, `${count(queue.length)} of ${count(total)} left`), el('p', { class: 'drill-message', role: 'status' }, message || ' '),
      el('p', { class: 'drill-line' }, ...(card.line.length > 0 ? lineNodes(card.sans) : ['The start'])), el('p', { class: 'drill-ask' }, `${side} to move: play the move of the repertoire.`),
      el('p', { class: 'links' }, ...buttons, el('button', { type: 'button', class: 'quiet', onclick: () => { queue = []; message = ''; over(); } }, 'End the session')));
    if (failed) target.querySelector('.continue').focus();
  }

  /** Shows the numbers, and the form that starts a session. */
  function over() {
    pointAt(null);
    const state = summary(cards.map((one) => one.key), states, clock());
    const most = el('input', { name: 'most', type: 'number', min: 1, max: 500, value: FEW, required: true });
    const open = state.due + state.fresh > 0;
    const form = el('form', { class: 'player-form' }, el('label', { class: 'field' }, el('span', {}, 'Positions'), most), el('button', { type: 'submit', disabled: !open }, 'Start'));
    form.addEventListener('submit', (event) => { event.preventDefault(); start(Number(most.value)); });
    const wait = !open && state.next !== null ? `Nothing is due. The next position is due ${ahead(state.next - clock())}.` : '';
    target.replaceChildren(numbers(state), ...(message ? [el('p', { class: 'drill-message', role: 'status' }, message)] : []), el('p', { class: 'hint' }, wait || 'A session asks for due positions, then for new ones. Wrong answers are asked again.'), form);
  }

  function start(most) {
    queue = session(cards.map((one) => one.key), states, clock(), most);
    total = queue.length;
    [failed, message] = [false, ''];
    show();
    announce(`${total} positions`);
  }

  over();
  return { running: () => queue.length > 0 };
}
