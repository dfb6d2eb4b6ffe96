/* SPDX-License-Identifier: MIT */
// Runs the checks of a test in Node, an object of functions by name. The process fails if one of them throws.

export async function runChecks(checks) {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
    } catch (error) {
      console.error(`FAILED: ${name}\n${error.stack}`);
      process.exitCode = 1;
    }
  }
}
