/* SPDX-License-Identifier: MIT */
// The state of the explorer in an address, and the request for it.

import { readLine } from '../base/line.js';
import { filtersOf } from '../filters/filter_names.js';
import { isOrder } from './tree_order.js';

/** Reads the state: {fen, line, ply, filters, tab, offset, sort, history, order}. */
export function read(params) {
  return { ...readLine(params), filters: filtersOf(params), tab: params.games ?? 'top', offset: Number(params.offset) || 0, sort: params.sort ?? '',
    history: params.history === '1', order: isOrder(params.order ?? '') ? params.order ?? '' : '' };
}

/** Returns the parameters of the position and the filters. */
export const positionOf = (state) => ({ fen: state.fen, play: state.line.slice(0, state.ply).join(','), ...state.filters });

/** Returns the parameters of the request for the moves. */
export const askedOf = (state) => ({ ...positionOf(state), history: state.history });
