/* SPDX-License-Identifier: MIT */
// The names of the filters in an address.

export const FILTERS = ['player', 'color', 'white', 'black', 'result', 'rating', 'since', 'until', 'speeds', 'eco', 'opening', 'event', 'flag', 'archive'];

/** Returns the filters among the params of an address. */
export const filtersOf = (params) => Object.fromEntries(FILTERS.filter((name) => params[name]).map((name) => [name, params[name]]));
