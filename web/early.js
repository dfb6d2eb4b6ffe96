/* SPDX-License-Identifier: MIT */
// Sends the first requests while most of the modules are still being loaded.

import { parse } from './base/address.js';
import { quickTree, start, startTree } from './base/api.js';
import { askedOf, read } from './explore/request.js';

const { view, params } = parse(location.hash);
start('archives');
start('health');
if (view === 'explore') startTree(quickTree(askedOf(read(params))));
