import { secretTexts } from '../../i18n/secret-texts.ts';
import { judgeSize, maxSecretBytes } from '../../../shared/domain/limits.ts';
import { formatExactBytes } from '../../../shared/i18n/format.ts';

const texts = secretTexts.create;

export type SizeText = { count: string; note: string | null; problem: string | null };

/**
 * The size of a value being entered (section 8 of the interface).
 * @param exactLimitBytes the service's own limit; null: none
 */
export function secretSizeText(sizeBytes: number, exactLimitBytes: number | null): SizeText {
  const sureBytes = exactLimitBytes ?? maxSecretBytes.sure;
  const count = texts.size({ size: sizeBytes, limit: formatExactBytes(sureBytes) });
  switch (judgeSize(sizeBytes, maxSecretBytes, exactLimitBytes)) {
    case 'fits':
      return { count, note: null, problem: null };
    case 'mayBeRefused':
      return {
        count,
        note: texts.mayBeRefused({ limit: formatExactBytes(sureBytes) }),
        problem: null,
      };
    case 'tooLarge': {
      const limit = formatExactBytes(exactLimitBytes ?? maxSecretBytes.possible);
      return { count, note: null, problem: texts.overLimit({ limit }) };
    }
  }
}

export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
