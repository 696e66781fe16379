import { detailTexts } from '../../../i18n/detail-texts.ts';
import { extensionOf, fileKind } from '../../../../shared/domain/file-kind.ts';

/** `PNG picture`, from the file name alone. */
export function kindText(identifier: string): string {
  const extension = extensionOf(identifier).toUpperCase();
  const kind = fileKind(identifier);
  return extension === '' ? detailTexts.kinds[kind] : detailTexts.kindsOf[kind]({ extension });
}

/** In groups of eight, three per line, so that digests can be compared by eye. */
export function digestLines(sha256: string): string[] {
  const groups = sha256.match(/.{1,8}/g) ?? [];
  return Array.from({ length: Math.ceil(groups.length / 3) }, (_, line) =>
    groups.slice(line * 3, line * 3 + 3).join(' '),
  );
}
