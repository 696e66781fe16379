import type { ReactNode } from 'react';
import './badge.css';

/** A step of the classification colour ramp; 0 is the service default. */
export type RampStep = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

const steps: readonly RampStep[] = [1, 2, 3, 4, 5, 6, 7];

/**
 * The ramp step of the value at `index` of `count`, in the service's order. An index of -1 (not listed) gets step 1.
 */
export function rampStep(index: number, count: number): RampStep {
  if (count <= 1 || index < 0) return 1;
  return steps[Math.floor((index * 6) / (count - 1))] ?? 7;
}

export function Badge({ step, children }: { step: RampStep; children: ReactNode }) {
  return (
    // Cut at the end of its own direction, so that it keeps its beginning in a mirrored window.
    <span className="badge" dir="auto" data-step={step}>
      {children}
    </span>
  );
}

export function Swatch({ step }: { step: RampStep }) {
  return <span className="swatch" data-step={step} aria-hidden="true" />;
}
