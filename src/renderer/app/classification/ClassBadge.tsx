import { inOneLine } from '../../../shared/domain/legible.ts';
import { Badge, rampStep, type RampStep } from '../../ui/Badge.tsx';
import { useListedClasses } from './ListedClasses.tsx';

/** Common names, in order: derived from their letters, two of them could get the same colour. */
const usual = ['public', 'internal', 'confidential', 'restricted', 'secret'];

/**
 * The position of a classification on the colour ramp: listed values are spread over it in the service's order. Without
 * a list the usual names have their usual order, and others a fixed position derived from their letters.
 */
export function classStep(value: string, listed: readonly string[]): RampStep {
  const at = listed.indexOf(value);
  if (at >= 0) return rampStep(at, listed.length);
  const usualAt = usual.indexOf(value.toLowerCase());
  return usualAt < 0 ? rampStep(sumOf(value) % 7, 7) : rampStep(usualAt, usual.length);
}

function sumOf(value: string): number {
  let sum = 0;
  for (let at = 0; at < value.length; at++) sum = (sum * 31 + value.charCodeAt(at)) % 65_521;
  return sum;
}

export function ClassBadge({ value }: { value: string }) {
  return <Badge step={classStep(value, useListedClasses())}>{inOneLine(value)}</Badge>;
}
