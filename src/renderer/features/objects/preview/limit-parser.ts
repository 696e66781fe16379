import { limitAllocations } from './limit-allocations.ts';

// The page gets it as an event of the thread.
limitAllocations(globalThis, reportError);
