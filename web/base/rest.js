/* SPDX-License-Identifier: MIT */
// Calls that come quickly one after another, as when an arrow key is held.

const REST = 120; // milliseconds

/** Returns {call, stop}: call() acts immediately. If the previous call was less than REST ago, it acts after REST
 * without further calls. stop() drops a call that waits. */
export function whenAtRest(act) {
  let timer = 0; // 0: at rest
  let waiting = false;
  const stop = () => { waiting = false; };
  const rest = () => {
    timer = 0;
    if (waiting) act();
    waiting = false;
  };
  const call = () => {
    if (timer) clearTimeout(timer);
    waiting = timer !== 0;
    if (!waiting) act();
    timer = setTimeout(rest, REST);
  };
  return { call, stop };
}
