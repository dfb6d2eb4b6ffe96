/* SPDX-License-Identifier: MIT */
// The line above the answers: the active filters, each with a button that removes it, presets, and the archives.

import { announce, el } from '../base/dom.js';
import { createPopup } from './popup.js';
import { builtIn, isActive, remove, save, saved, toggled } from './presets.js';
import { createSources } from './source_menu.js';

/** Returns filters without one of them. The colour belongs to the player. */
function without(values, name) {
  const { [name]: removed, ...rest } = values;
  if (name === 'player') delete rest.color;
  return rest;
}

function chip(words, act) {
  return el('span', { class: 'chip' }, words, el('button', { type: 'button', 'aria-label': `Remove the filter: ${words}`, title: 'Remove this filter', onclick: act }));
}

/** Creates the menu of presets. choose(values) is called with the filters after a choice. */
function createMenu(choose, values) {
  const { element, button, box, close } = createPopup('Presets');
  const item = (one, after) => el('button', { type: 'button', class: 'quiet', 'aria-pressed': String(isActive(one, values())), onclick: () => { close(); choose(after()); } }, one.name);

  function own(one) {
    const drop = () => { remove(one.name); announce(`${one.name} is deleted`); fill(); button.focus(); };
    return el('div', { class: 'menu-row' }, item(one, () => ({ archive: values().archive, ...one.values })),
      el('button', { type: 'button', class: 'drop-preset', 'aria-label': `Delete the preset ${one.name}`, title: 'Delete this preset', onclick: drop }));
  }

  function saver() {
    const name = el('input', { type: 'text', maxlength: 40, placeholder: 'Name', 'aria-label': 'Name of a new preset', required: true, autocomplete: 'off' });
    const form = el('form', { class: 'menu-row' }, name, el('button', {}, 'Save'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      save(name.value.trim() || 'Preset', values());
      announce(`${name.value} is saved`);
      fill();
      [...box.querySelectorAll('.menu-row .quiet')].at(-1)?.focus();
    });
    return form;
  }

  function fill() {
    const mine = saved();
    const active = Object.keys(values()).some((name) => name !== 'archive');
    box.replaceChildren(...builtIn().map((one) => item(one, () => toggled(one, values()))), el('h2', {}, 'My presets'), ...mine.map(own),
      active ? saver() : el('p', { class: 'hint' }, mine.length > 0 ? '' : 'Set filters, then save them here.'));
  }

  return { element, fill };
}

/** Creates the line. options: words(name, value), the text of a filter; change(values), called with the new filters;
 * panel, the element with the form, which a button shows and hides. */
export function createBar(options) {
  let values = {};
  const chips = el('span', { class: 'chips' });
  const button = el('button', { type: 'button', class: 'filter-toggle', 'aria-expanded': 'false', 'aria-controls': options.panel.id }, 'Filters');
  const menu = createMenu(options.change, () => values);
  const sources = createSources((archive) => options.change({ ...without(values, 'archive'), ...(archive && { archive }) }));
  button.addEventListener('click', () => {
    options.panel.hidden = !options.panel.hidden;
    button.setAttribute('aria-expanded', String(!options.panel.hidden));
  });

  let dropped = false; // the button that had the focus is gone

  function drop(name) {
    dropped = true;
    options.change(without(values, name));
  }

  const showChips = () => {
    const shown = Object.entries(values).filter(([name]) => name !== 'archive');
    chips.replaceChildren(...(shown.length > 0 ? shown.map(([name, value]) => chip(options.words(name, value), () => drop(name))) : [el('span', { class: 'hint' }, 'No filters')]));
    if (dropped) (chips.querySelector('button') ?? button).focus();
    dropped = false;
  };
  return {
    element: el('div', { class: 'filter-line' }, button, menu.element, chips, sources.element),
    set(next) {
      values = next;
      sources.set(values.archive ?? '');
      showChips();
      menu.fill();
    },
  };
}
