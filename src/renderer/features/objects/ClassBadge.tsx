import { Badge } from '../../ui/Badge.tsx';
import { classStep } from './class-ramp.ts';

/** @param listed the values in the order in which the service lists them */
export function ClassBadge({ value, listed }: { value: string; listed: readonly string[] }) {
  return <Badge step={classStep(value, listed)}>{value}</Badge>;
}
