/* SPDX-License-Identifier: MIT */
// The supplier of answers, which api.js asks. By default it is the server from which the page came. Another supplier, such
// as a worker that reads archives in the browser, is chosen before the first request. A supplier is an object with:
//
// - request(method, path, params, {signal, body, progress}): answers a request of doc/reference/serve.md. `params` are the
//   parameters; empty ones are omitted. `body` is a Blob; progress(bytes, complete) is called while it is sent. The
//   promise is fulfilled with {status, text(), lines(each)}: the status as of HTTP, the complete answer, and
//   lines(each), which calls each(text) for each line as soon as the line is there. The promises are rejected with an
//   error whose name is AbortError if the signal was aborted, and Unreachable if there is no answer.
// - fileAddress(path, params): the address of an answer, for links.
// - isLocal: whether the answers are made in this browser.

import { serverSupplier } from './server_supplier.js';

let chosen = serverSupplier;

/** Chooses the supplier of all answers. */
export function useSupplier(one) {
  chosen = one;
}

export const supplier = () => chosen;
