/* SPDX-License-Identifier: MIT */
// Chooses a worker as the supplier of all answers, before other modules send requests. Only a page without a server has
// this script: it is the first module of the page, whose head also has
//
//   <meta name="stamma-worker" content="stamma/worker.js">   the address of the worker's module
//   <meta name="stamma-site" content="site.json">            the list of archives, if the page has any (worker.js)

import { useSupplier } from './base/supplier.js';
import { createWorkerSupplier, saveByLinks } from './base/worker_supplier.js';

const setting = (name) => document.querySelector(`meta[name="stamma-${name}"]`)?.content;
const site = setting('site');
const supplier = createWorkerSupplier(setting('worker'), site ? new URL(site, document.baseURI).href : null);
useSupplier(supplier);
saveByLinks(supplier);
