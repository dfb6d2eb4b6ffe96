/* SPDX-License-Identifier: MIT */
// The name, folder and tags of an analysis. Name and folder are the tags ChapterName and StudyName.

import { el } from '../base/dom.js';

const ROSTER = ['White', 'Black', 'Event', 'Site', 'Date', 'Round'];
const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];
const FIXED = ['FEN', 'SetUp', 'Result', 'StudyName', 'ChapterName'];
const TAG = /^[A-Za-z]\w{0,63}$/;

const plain = (text) => text.replace(/\s+/g, ' ').trim();

function field(label, name, value, change, more = {}) {
  const input = el('input', { name, value, autocomplete: 'off', 'data-tag': name, onchange: () => change(plain(input.value)), ...more });
  return el('label', { class: 'field' }, el('span', {}, label), input);
}

function resultField(value, change) {
  const select = el('select', { name: 'Result', 'data-tag': 'Result', onchange: () => change(select.value) }, ...RESULTS.map((one) => el('option', { value: one, selected: one === value }, one === '*' ? '* (open)' : one)));
  return el('label', { class: 'field' }, el('span', {}, 'Result'), select);
}

/* The field that adds a tag: its name and value. */
function newTag(set) {
  const form = el('form', { class: 'new-tag' }, el('input', { name: 'tag', 'aria-label': 'Name of another tag', placeholder: 'Tag, such as Annotator', autocomplete: 'off' }),
    el('input', { name: 'value', 'aria-label': 'Value of the other tag', placeholder: 'Value', autocomplete: 'off' }), el('button', { type: 'submit' }, 'Add tag'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { tag, value } = form.elements;
    const wrong = !TAG.test(tag.value.trim()) ? 'The name of a tag has only letters, digits and _' : FIXED.includes(tag.value.trim()) ? 'There is a field for this tag above' : '';
    tag.setCustomValidity(wrong);
    if (form.reportValidity()) set(tag.value.trim(), plain(value.value));
  });
  form.elements.tag.addEventListener('input', () => form.elements.tag.setCustomValidity(''));
  return form;
}

/** Creates the fields. folders() returns the names of folders to offer. setTag(name, value) is called for each change; an
 * empty value removes the tag. setResult(value). Returns {element, show({tags, result})}. */
export function detailFields({ folders, setTag, setResult }) {
  const body = el('div', {});
  const options = el('datalist', { id: 'analysis-folders' });
  const element = el('details', { class: 'analysis-details' }, el('summary', {}, 'Name, folder and tags'), options, body);
  let shown = null;

  function fill({ tags, result }) {
    options.replaceChildren(...folders().map((name) => el('option', { value: name })));
    const others = Object.keys(tags).filter((tag) => !ROSTER.includes(tag) && !FIXED.includes(tag));
    const tag = (name, label = name) => field(label, name, tags[name] === '?' ? '' : tags[name] ?? '', (value) => setTag(name, value));
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.tag : null;
    body.replaceChildren(el('div', { class: 'fields' }, tag('ChapterName', 'Name'), field('Folder', 'StudyName', tags.StudyName ?? '', (value) => setTag('StudyName', value), { list: 'analysis-folders' })),
      el('div', { class: 'fields' }, ...ROSTER.map((name) => tag(name)), resultField(result, setResult), ...others.map((name) => tag(name))), newTag(setTag));
    if (focused) body.querySelector(`[data-tag="${focused}"]`)?.focus();
  }

  element.addEventListener('toggle', () => { if (element.open && shown) fill(shown); });
  return { element, show(state) {
    const [before, now] = [shown, state];
    shown = now;
    if (element.open && (before?.tags !== now.tags || before.result !== now.result)) fill(now);
  } };
}
