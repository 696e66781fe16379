import { useCallback, useState } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { splitIdentifier } from '../../../ui/identifier-parts.ts';
import { CopyButton } from './Field.tsx';

/**
 * The last segment of an identifier above its folders, each limited to three lines until expanded. Use the object's
 * id as key.
 */
export function DetailsName({ identifier, separator }: { identifier: string; separator: string }) {
  const { folders, leaf } = splitIdentifier(identifier, separator);
  const [isWhole, setWhole] = useState(false);
  const [name, isNameCut] = useIsCut();
  const [folder, isFolderCut] = useIsCut();
  const cut = (isCut: boolean) => (isWhole ? '' : isCut ? 'details__cut is-cut' : 'details__cut');
  return (
    <header className="details__head">
      <div className="details__name">
        <h2 ref={name} dir="ltr" className={`details__title selectable ${cut(isNameCut)}`}>
          {leaf === '' ? identifier : leaf}
        </h2>
        <CopyButton label={commonTexts.copyIdentifier} text={identifier} />
      </div>
      {leaf !== '' && folders.length > 0 && (
        <p ref={folder} dir="ltr" className={`details__folder selectable ${cut(isFolderCut)}`}>
          {folders.join('')}
        </p>
      )}
      {(isWhole || isNameCut || isFolderCut) && (
        <Button kind="link" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? texts.showLess : texts.showAll}
        </Button>
      )}
    </header>
  );
}

/** Whether the element with the returned ref is truncated. */
function useIsCut() {
  const [isCut, setCut] = useState(false);
  const ref = useCallback((found: HTMLElement | null) => {
    if (found === null) return undefined;
    const measure = () => setCut(found.scrollHeight > found.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return [ref, isCut] as const;
}
