/*
 * Preloaded into the main process by benchmarks: reports the longest time for which its event loop stood still, and how much of that
 * its main thread worked. On a busy computer it waits for a core for the rest.
 */
const { readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const everyMs = 10;

/** CPU time of the main thread in ms (Linux). */
const cpuMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;

let timer;
let longest;

function watch() {
  longest = { ms: 0, cpuMs: 0 };
  let last = { ms: performance.now(), cpuMs: cpuMs() };
  clearInterval(timer);
  timer = setInterval(() => {
    const now = { ms: performance.now(), cpuMs: cpuMs() };
    const block = { ms: now.ms - last.ms - everyMs, cpuMs: now.cpuMs - last.cpuMs };
    // Chosen by CPU time, which is the same however many wait for a core.
    if (block.cpuMs > longest.cpuMs) longest = block;
    last = now;
  }, everyMs);
}

// Worker threads inherit --require.
if (isMainThread) {
  watch();
  process.on('message', ({ bench }) => {
    if (bench === 'watch') watch();
    if (bench !== 'longest') return;
    clearInterval(timer);
    process.send(longest);
  });
}
