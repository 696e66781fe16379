import { inject } from 'vitest';
import type {} from './main/test-setup.ts';

/** Of a property: all of them in `npm run test:all`, and a third in `npm test`. */
export const runs = (count: number): number => (inject('isAll') ? count : Math.ceil(count / 3));
