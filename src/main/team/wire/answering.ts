import { z } from 'zod';
import type { TeamProblem } from '../team-problem.ts';
import { problemOf } from './problem-of.ts';

export type Answer<T> = { readonly value: T } | { readonly problem: TeamProblem };

/** Returns problems as values, because errors do not cross threads. */
export function answering<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<Answer<T>> {
  return async (...args) => {
    try {
      return { value: await work(...args) };
    } catch (cause) {
      const isUnreadable = cause instanceof z.ZodError || cause instanceof SyntaxError;
      return { problem: isUnreadable ? { why: 'broken', code: '' } : problemOf(cause) };
    }
  };
}
