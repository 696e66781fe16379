import { NotPrivate } from '../../main/local-files/private-folder.ts';
import { commandTexts as texts } from '../texts.ts';

/** A system error in words. null: another kind of error. */
export function systemErrorText(cause: unknown): string | null {
  if (cause instanceof NotPrivate) return texts.system.notPrivate({ path: cause.path });
  if (!(cause instanceof Error) || !('syscall' in cause)) return null;
  const { code = '', syscall = '', path, address } = cause as NodeJS.ErrnoException & { address?: string };
  const what = path ?? address ?? syscall;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return texts.system.refused({ what, code });
    case 'ENOSPC':
    case 'EDQUOT':
      return texts.system.full({ what, code });
    default:
      return texts.system.other({ what, code });
  }
}
