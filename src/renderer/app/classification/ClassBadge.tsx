import { inOneLine } from '../../../shared/domain/legible.ts';
import { Badge } from '../../ui/Badge.tsx';
import { classStep } from './class-ramp.ts';
import { useListedClasses } from './ListedClasses.tsx';

export function ClassBadge({ value }: { value: string }) {
  return (
    <Badge step={classStep(value, useListedClasses())}>
      <bdi>{inOneLine(value)}</bdi>
    </Badge>
  );
}
