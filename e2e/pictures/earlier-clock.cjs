/*
 * Preloaded into the application: sets its clock back by E2E_EARLIER_MS. A request started now is that much older when the
 * application next runs with the right clock.
 */
const now = Date.now;
const earlierMs = Number(process.env.E2E_EARLIER_MS);
Date.now = () => now() - earlierMs;
