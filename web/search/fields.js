/* SPDX-License-Identifier: MIT */
// Parts of the search's form: fields with labels, check boxes as pills, and folded groups of fields.

import { el } from '../base/dom.js';

export const field = (label, input, hint = null) => el('label', { class: 'field' }, el('span', {}, label), input, hint && el('small', {}, hint));

export const text = (name, placeholder, more = {}) => el('input', { name, type: 'text', placeholder, autocomplete: 'off', spellcheck: 'false', ...more });

export const check = (name, label) => el('label', { class: 'pill' }, el('input', { type: 'checkbox', name, value: '1', form: 'search-form' }), label);

export const option = ([value, label]) => el('option', { value }, label);

/** Creates a folded group of fields. say(words) shows its contents next to the title, in a few words. */
export function group(title, ...nodes) {
  const state = el('span', { class: 'group-state' });
  const element = el('details', { class: 'group' }, el('summary', {}, title, ' ', state), ...nodes);
  return { element, say: (words) => { state.textContent = words ? `· ${words}` : ''; } };
}
