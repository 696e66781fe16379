import { rampStep, type RampStep } from '../../ui/Badge.tsx';

/**
 * The position of a classification on the colour ramp: listed values are spread over it in the service's order. Other
 * values get a fixed position derived from their letters.
 */
export function classStep(value: string, listed: readonly string[]): RampStep {
  const at = listed.indexOf(value);
  return at < 0 ? rampStep(sumOf(value) % 7, 7) : rampStep(at, listed.length);
}

function sumOf(value: string): number {
  let sum = 0;
  for (let at = 0; at < value.length; at++) sum = (sum * 31 + value.charCodeAt(at)) % 65_521;
  return sum;
}
