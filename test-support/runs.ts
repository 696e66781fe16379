import { inject } from 'vitest';
import type {} from './main/test-setup.ts';

/** Number of runs of a property: all of them in `npm run test:all`, a third in `npm test`. */
export const runs = (count: number): number => (inject('isAll') ? count : Math.ceil(count / 3));
