/*
 * Loaded into the application before it starts: its clock is E2E_EARLIER_MS behind. A request that it starts is so much
 * older when the application runs the next time, with the clock as it is.
 */
const now = Date.now;
const earlierMs = Number(process.env.E2E_EARLIER_MS);
Date.now = () => now() - earlierMs;
