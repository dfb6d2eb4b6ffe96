/* SPDX-License-Identifier: MIT */
// The preview of a search: the query as indented JSON, the same search as a line of the command, and buttons that copy
// both.

import { announce, el } from '../base/dom.js';
import { archives } from '../base/api.js';
import { copyButtons } from '../base/copy.js';
import { commandOf } from './query.js';

/** Creates the preview. Returns {element, show(query, values)}: values are the filters and the order. */
export function createPreview() {
  const json = el('pre', { id: 'whole-query', tabindex: '0', role: 'region', 'aria-label': 'The query as JSON' }, '{}');
  const command = el('pre', { id: 'find-command', tabindex: '0', role: 'region', 'aria-label': 'The same search as a command' });
  let served = [];
  let [query, values] = [{}, {}];
  const text = () => JSON.stringify(query, null, 2);

  function draw() {
    const names = served.filter((one) => !values.archive || String(one.number) === values.archive).map((one) => one.name);
    json.textContent = text();
    command.textContent = commandOf(query, values, names.length > 0 ? names : ['games.stamma']);
  }
  archives().then((list) => { served = list; draw(); }).catch(() => {});
  draw();
  return {
    element: el('div', { class: 'preview-box' }, el('div', { class: 'preview-head' }, el('span', { class: 'preview-label' }, 'The query'),
      ...copyButtons({ JSON: text, command: () => command.textContent }, announce)), json, command),
    show(next, filters) {
      [query, values] = [next, filters];
      draw();
    },
    fail(message) { json.textContent = message; },
  };
}
