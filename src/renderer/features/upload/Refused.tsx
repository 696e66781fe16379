import { useStore } from 'zustand';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { refusedText } from '../../i18n/refused-text.ts';
import { Icon } from '../../ui/Icon.tsx';
import { uploadStore } from './upload-store.ts';

/** Items that could not be added at all: unreadable folders, and files that are not on a disk. */
export function Refused({ plan }: { plan: UploadPlan }) {
  const { refused } = useStore(uploadStore);
  const all = [...refused, ...plan.refused];
  const [first] = all;
  if (first === undefined) return null;
  return (
    <p className="sheet__refused">
      <Icon name="warn" />
      <span>{refusedText(first.name, all.length, first.error)}</span>
    </p>
  );
}
