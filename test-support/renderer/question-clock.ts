import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { answerDelayMs } from '../../src/renderer/ui/answer-delay.ts';

/** A virtual clock for the tests of a file, for questions that come unasked. */
export function installQuestionClock(): void {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => {
    cleanup();
    // Presses just after a question are ignored: not in the next test.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  });
}

export const passTime = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms));

/** Does not touch the window until what it asks can be answered. */
export const leaveAlone = (): Promise<unknown> => passTime(answerDelayMs);
