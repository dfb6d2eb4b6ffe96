/* SPDX-License-Identifier: MIT */
// The supplier of answers that needs no server (supplier.js): a worker reads the archives and answers the requests.
//
// The worker is synchronous: while it answers, it receives no messages. If a request that is being answered is aborted and
// the answer takes longer, the worker is replaced by a new one, which opens the archives again.

import { query } from './address.js';

const PATIENCE = 400; // milliseconds that an aborted request may still run if another request waits
const SCHEME = 'stamma:';

const aborted = () => new DOMException('The request was aborted.', 'AbortError');

/* An answer whose pieces arrive. */
function createAnswer(status) {
  const pieces = [];
  let wake = () => {};
  let state = 'open';
  let failure = null;
  const more = () => new Promise((done) => { wake = done; });

  async function* all() {
    for (let n = 0; ;) {
      if (n < pieces.length) { yield pieces[n]; n += 1; continue; }
      if (state === 'failed') throw failure;
      if (state === 'ended') return;
      await more();
    }
  }

  async function blob() {
    const kept = [];
    for await (const piece of all()) kept.push(piece);
    return new Blob(kept);
  }

  async function lines(each) {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of all()) {
      const found = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = found.pop();
      found.filter(Boolean).forEach(each);
    }
  }

  return {
    add(piece) { pieces.push(piece); wake(); },
    end() { state = 'ended'; wake(); },
    fail(error) { [state, failure] = ['failed', error]; wake(); },
    public: { status, text: async () => (await blob()).text(), lines, blob },
  };
}

/** Creates the supplier. options: worker, the address of the worker's module; open, its first message (worker.js).
 * Returns the supplier, with a promise `opened`. */
export function createWorkerSupplier(options) {
  const jobs = new Map(); // by id: {message, resolve, reject, progress, answer}
  let numbers = 0;
  let worker = null;
  let opened = null;

  function take({ data }) {
    const job = jobs.get(data.id);
    if (!job) return;
    if (data.progress) job.progress?.(...data.progress);
    else if (data.status === 499) settle(data.id, (one) => (one.answer ?? one).fail(aborted()));
    else if (data.status) { job.answer = createAnswer(data.status); job.resolve(job.answer.public); } else if (data.piece) job.answer.add(data.piece);
    else if (data.end) settle(data.id, (one) => one.answer.end());
  }

  function settle(id, act) {
    const job = jobs.get(id);
    jobs.delete(id);
    if (job) act(job);
  }

  function start() {
    worker = new Worker(options.worker, { type: 'module' });
    opened = new Promise((done, failed) => {
      worker.addEventListener('message', ({ data }) => {
        if (data.opened) done();
        else if (data.failed) failed(new Error(data.failed));
      });
      worker.addEventListener('error', (event) => failed(new Error(event.message || 'The worker cannot be loaded.')));
    });
    opened.catch(() => {});
    worker.addEventListener('message', take);
    worker.postMessage({ open: options.open });
  }

  /* Ends an answer that is too slow. The other requests begin again. */
  function restart() {
    worker.terminate();
    start();
    for (const [id, job] of jobs) {
      if (job.answer || job.aborted) settle(id, (one) => (one.answer ?? one).fail(aborted()));
      else worker.postMessage({ id, ...job.message });
    }
  }

  function abort(id) {
    const job = jobs.get(id);
    if (!job) return;
    job.aborted = true;
    worker.postMessage({ abort: id });
    job.fail(aborted());
    setTimeout(() => { if (jobs.get(id) === job && jobs.size > 1 && [...jobs.keys()][0] === id && !options.kept?.()) restart(); }, PATIENCE);
  }

  function request(method, path, params, { signal, body, progress } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) { reject(aborted()); return; }
      numbers += 1;
      const id = numbers;
      const message = { method, path, query: query(params), body };
      jobs.set(id, { message, resolve, progress, fail: reject });
      signal?.addEventListener('abort', () => abort(id), { once: true });
      worker.postMessage({ id, ...message });
    });
  }

  start();
  return { request, fileAddress: (path, params = {}) => `${SCHEME}${path}?${query(params)}`, get opened() { return opened; } };
}

/** Saves the answers that links with addresses of a worker's supplier refer to. */
export function saveByLinks(supplier) {
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.(`a[href^="${SCHEME}"]`);
    if (!link) return;
    event.preventDefault();
    const [path, text] = link.getAttribute('href').slice(SCHEME.length).split('?');
    const answer = await supplier.request('GET', path, Object.fromEntries(new URLSearchParams(text)));
    const address = URL.createObjectURL(await answer.blob());
    const save = document.createElement('a');
    [save.href, save.download] = [address, link.download || 'games'];
    save.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  });
}
