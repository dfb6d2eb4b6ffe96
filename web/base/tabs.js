/* SPDX-License-Identifier: MIT */
// Tabs that select the contents of a panel.

import { el } from './dom.js';

/** Creates a list of tabs for the panel with an id. `labels` maps the name of each tab to its label. choose(name) is called
 * with the tab that the user selects by mouse or with the arrow keys. Call showTab when its contents are shown. */
export function tabList(description, panel, labels, choose) {
  const list = el('div', { role: 'tablist', class: 'tabs', 'aria-label': description }, ...Object.entries(labels).map(([name, label]) => el('button',
    { type: 'button', role: 'tab', 'data-tab': name, 'aria-controls': panel, onclick: () => choose(name) }, label)));
  list.addEventListener('keydown', (event) => {
    const beside = { ArrowLeft: 'previousElementSibling', ArrowRight: 'nextElementSibling' }[event.key];
    if (!beside) return;
    event.preventDefault(); // not a ply of the line
    document.activeElement[beside]?.focus();
    document.activeElement.click();
  });
  return list;
}

/** Marks a tab as the selected tab, the only Tab stop. */
export function showTab(list, name) {
  for (const tab of list.children) {
    tab.setAttribute('aria-selected', String(tab.dataset.tab === name));
    tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
  }
}
