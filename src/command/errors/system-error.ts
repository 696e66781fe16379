import { NotPrivate } from '../../main/local-files/private-folder.ts';
import { commandTexts as texts } from '../texts.ts';

/** An error of writing standard output in words. */
export function outputErrorText(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return texts.output.full({ code });
    case 'EFBIG':
      return texts.output.tooLarge({ code });
    case 'EBADF':
      return texts.output.closed({ code });
    default:
      return texts.output.other({ code });
  }
}

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
