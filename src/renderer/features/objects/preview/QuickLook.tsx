import { useEffect, useEffectEvent } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { formatCount, formatSize } from '../../../../shared/i18n/format.ts';
import { inlineKey, shownChord } from '../../../app/key-bindings.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { ClassBadge } from '../../../app/classification/ClassBadge.tsx';
import { OpenButton } from '../actions/OpenButton.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Identifier } from '../../../ui/Identifier.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { canOpen } from '../state/row-state.ts';
import type { ObjectActions } from '../actions/use-object-actions.ts';
import { Preview } from './Preview.tsx';
import { usePreviewChoices } from './use-preview-choices.ts';
import './quick-look.css';
import { commonTexts } from '../../../i18n/common-texts.ts';

const texts = objectTexts.look;

/** A pressed button leaves the focus where it is, so that Space goes on to close. */
const quietly = { preventFocusOnPress: true } as const;

type Props = {
  /** undefined: not loaded yet. */
  row: ObjectRow | undefined;
  index: number;
  total: number;
  separator: string;
  /** Fetches a preview at once, because the person asked for this one. */
  isAsked: boolean;
  actions: ObjectActions;
  /** Selects the row at this index. */
  onGo: (index: number) => void;
  onClose: () => void;
};

/** The selected object, as large as the window. Arrow keys move through the list; Space and Escape close it. */
export function QuickLook({ row, index, total, separator, isAsked, actions, onGo, onClose }: Props) {
  const choices = usePreviewChoices(row?.serviceId ?? null);
  // Hides the preview in Details, or it would be fetched twice.
  useEffect(() => {
    useBrowser.setState({ isLooking: true });
    return () => useBrowser.setState({ isLooking: false });
  }, []);

  const step = (by: number) => {
    const next = Math.max(0, Math.min(index + by, total - 1));
    if (next !== index) onGo(next);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // For example the press that opened it, which arrives here too.
    if (event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    // A player uses the arrows to seek and change the volume, and Space to pause.
    if (target?.closest('audio, video') != null) return;
    const way = inlineKey(event.key);
    // Arrows scroll a long text or document that has the focus.
    const isInText = target?.closest('.preview__scroll') != null;
    if (way !== null) step(way === 'start' ? -1 : 1);
    else if (event.key === 'ArrowUp' && !isInText) step(-1);
    else if (event.key === 'ArrowDown' && !isInText) step(1);
    else if (event.key === ' ' && target?.closest('button') == null) onClose();
    else if (event.key === 'PageUp' && !isInText) scroll(-1);
    else if (event.key === 'PageDown' && !isInText) scroll(1);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="look"
      name={row === undefined ? texts.title : texts.titleOf({ identifier: row.identifier })}
      title={row && <Identifier identifier={row.identifier} separator={separator} />}
      facts={
        row && (
          <>
            {row.classification !== null && <ClassBadge value={row.classification} />}
            {row.lengthBytes !== null && formatSize(row.lengthBytes)}
          </>
        )
      }
      place={
        <span className="look__bar">
          <span className="figures">
            {texts.place({ place: formatCount(index + 1), total: formatCount(total) })}
          </span>
          <IconButton
            {...quietly}
            icon="left"
            label={texts.previous}
            keys={shownChord('ArrowLeft')}
            isDisabled={index === 0}
            onPress={() => step(-1)}
          />
          <IconButton
            {...quietly}
            icon="right"
            label={texts.next}
            keys={shownChord('ArrowRight')}
            isDisabled={index >= total - 1}
            onPress={() => step(1)}
          />
          {row && canOpen(row) && <OpenButton row={row} actions={actions} size="small" />}
          {row && row.state !== 'failed' && (
            <Button kind="line" size="small" icon="download" onPress={() => actions.download()}>
              {objectTexts.act.download}
            </Button>
          )}
          <IconButton icon="x" label={commonTexts.close} keys={shownChord(' ')} onPress={onClose} />
        </span>
      }
    >
      {row && choices !== null && (
        <Preview
          key={[row.id, row.state, row.sha256].join()}
          object={row}
          choices={choices}
          isAsked={isAsked}
          isLarge
          onDownload={() => actions.download()}
        />
      )}
    </Dialog>
  );
}

/** @param by screens down */
function scroll(by: number): void {
  const content = document.querySelector('.sheet--look .preview__scroll');
  content?.scrollBy({ top: by * content.clientHeight * 0.9 });
}
