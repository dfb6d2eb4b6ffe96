/* SPDX-License-Identifier: MIT */
// The orders of moves by which games reach the position of the explorer.

import { el, fillWhenThere, notice } from '../base/dom.js';
import { orders } from '../base/api.js';
import { count, games, moveNumber, percent } from '../base/words.js';

function orderRow(one, whole, href) {
  const text = one.moves.map((move, i) => `${i % 2 === 0 ? `${moveNumber(i + 1).trim()} ` : ''}${move.san}`).join(' ');
  return el('li', {}, el('a', { href: href(one.moves.map((move) => move.uci)) }, text), el('span', { class: 'n' }, count(one.games), ' ', el('small', {}, percent(one.games, whole))));
}

function draw(answer, href) {
  if (answer.games === 0) return notice('empty', 'No game had this position.');
  const words = `${answer.more ? `Of the first ${games(answer.games)}` : `Of ${games(answer.games)}`}, ${count(answer.other_orders)} reached the position by another order of moves (${percent(answer.other_orders, answer.games)}).`;
  return [el('p', { class: 'hint' }, words), el('ol', { class: 'orders' }, ...answer.orders.map((one) => orderRow(one, answer.games, href)))];
}

/** Creates a part that is filled when it is opened. href(line) is the address of a line. Returns {element, set(params)},
 * to be called for each position. */
export function createOrders(href) {
  const body = el('div', {});
  const element = el('details', { class: 'orders-box' }, el('summary', {}, 'Other orders of moves'), body);
  let params = null;
  let request = null;
  const load = () => {
    request?.abort();
    request = new AbortController();
    fillWhenThere(body, orders(params, request.signal), (answer) => draw(answer, href), load);
  };
  element.addEventListener('toggle', () => { if (element.open && params) load(); });
  return {
    element,
    set(next) {
      params = next;
      request?.abort();
      body.replaceChildren();
      body.removeAttribute('aria-busy');
      if (element.open && next) load();
    },
  };
}
