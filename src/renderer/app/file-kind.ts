import { fileKind } from '../../shared/domain/file-kind.ts';
import type { ObjectKind } from '../../shared/domain/object.ts';
import type { IconName } from '../ui/icons.tsx';

export function fileIcon({ identifier, kind }: { identifier: string; kind?: ObjectKind }): IconName {
  return kind === 'secret' ? 'key' : fileKind(identifier);
}
