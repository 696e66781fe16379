import type { Input } from '../../shared/contract.ts';
import { folderAbove, folderPrefix, nameWithin } from '../../shared/domain/folder.ts';

/**
 * What a move makes of an identifier without a version.
 * @param top what moves as a whole: the selected folder that the identifier is in, or else the identifier itself
 */
export function newBaseOf(
  base: string,
  top: string,
  to: Input<'objects.move'>['to'],
  separator: string,
): string {
  switch (to.kind) {
    case 'name':
      return to.identifier;
    case 'folder':
      return (
        folderPrefix(to.folder, separator) +
        (top === base
          ? (base.split(separator).at(-1) ?? base)
          : nameWithin(base, folderAbove(top, separator), separator))
      );
    case 'beginning':
      return base.startsWith(to.from) ? to.to + base.slice(to.from.length) : base;
  }
}
