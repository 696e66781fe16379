import type { Priority } from '../../../shared/domain/transfer.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';

/** Shows nothing for normal priority. */
export function PriorityMark({ priority }: { priority: Priority }) {
  if (priority === 'normal') return null;
  return (
    <span className={`mark ${priority === 'whenIdle' ? 'mark--quiet' : ''}`}>
      {dockTexts.priority[priority]}
    </span>
  );
}
