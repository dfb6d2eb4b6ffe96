/* SPDX-License-Identifier: MIT */
// The view of addresses that name no view.

import { announce, el, notice } from './dom.js';
import { parse } from './address.js';

export const view = {
  title: 'Unknown address',
  show(item, params, target) {
    const text = `This page has no view “${parse(location.hash).view}”.`;
    announce(text);
    target.replaceChildren(el('h1', {}, 'Unknown address'), notice('error', text, null, [['Explore', '#/explore'], ['Search', '#/search'], ['Archives', '#/archives']]));
  },
  hide() {},
};
