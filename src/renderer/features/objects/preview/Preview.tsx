import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { keepPicture } from './thumbnails.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import {
  automaticMaxBytes,
  isNamedForPreview,
  isPlayedFromFile,
  previewMaxBytes,
  previewProblem,
} from '../../../../shared/domain/preview.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { errorText } from '../../../../shared/i18n/error-text.ts';
import { formatPercent, formatSize } from '../../../../shared/i18n/format.ts';
import { useObjectProgress } from '../../../app/use-progress.ts';
import { Button } from '../../../ui/Button.tsx';
import type { PreviewChoices } from './use-preview-choices.ts';
import { PdfPages } from './PdfPages.tsx';
import { Player } from './Player.tsx';
import { TextPreview } from './TextPreview.tsx';
import { usePreview } from './use-preview.ts';

type Props = {
  object: ObjectRow;
  choices: PreviewChoices;
  /** Fetches at once, unless it is large, because the person asked for the preview by opening it. */
  isAsked?: boolean;
  /** In a large window: with all pages of a PDF. */
  isLarge?: boolean;
  onDownload: () => void;
};

/**
 * A preview of text, an image, a PDF, audio or video, never running scripts; otherwise the reason why there is none. Objects
 * not on this computer are fetched on request, or automatically if they are small and the person chose so for their classification. Use
 * a key that changes with the bytes.
 */
export function Preview({
  object,
  choices,
  isAsked: isAskedFirst = false,
  isLarge = false,
  onDownload,
}: Props) {
  const { classification } = object;
  const isPlayed = isPlayedFromFile(object);
  const problem = previewProblem(object, isPlayed ? Infinity : previewMaxBytes);
  const isEmpty = problem === null && object.lengthBytes === 0;
  const isAutomatic = choices.isAutomatic(classification);
  const isSmall = object.lengthBytes !== null && object.lengthBytes <= automaticMaxBytes;
  const { shown, isFetched, isLoading, isAsked, ask, refuse } = usePreview(object, {
    // A large local file must be read completely to verify it: only on request.
    isLookedFor: (problem === null || problem === 'size') && !isEmpty && (!isPlayed || isAskedFirst),
    mayBeFetched: problem === null && isAutomatic && isSmall && !isEmpty,
    isAsked: problem === null && isAskedFirst && !isPlayed && !isEmpty,
  });
  const pane = useRef<HTMLElement>(null);
  const offerChoice = useEffectEvent(() => choices.offer(classification));
  const isChoice = shown !== null && isAsked && isFetched && isSmall && !isAutomatic;
  useEffect(() => {
    if (isChoice) offerChoice();
  }, [isChoice]);

  if (isEmpty) return <None text={texts.emptyFile} />;
  if (problem !== null && shown === null && !isLoading) {
    return (
      <None text={texts.noPreview({ why: errorText({ code: 'previewUnavailable', problem }).what })}>
        {problem === 'size' && <DownloadButton onPress={onDownload} />}
      </None>
    );
  }
  return (
    <section ref={pane} className="preview-pane" aria-label={texts.previewPane} tabIndex={-1}>
      {content()}
    </section>
  );

  function content(): ReactNode {
    switch (shown?.kind) {
      case 'image':
        return <Picture url={shown.url} object={object} onBad={() => refuse({ kind: 'badPicture' })} />;
      case 'text':
        if (shown.text === '') return <None text={texts.emptyFile} />;
        return <TextPreview text={shown.text} object={object} />;
      case 'audio':
      case 'video':
        return (
          <Player
            kind={shown.kind}
            source={shown.source}
            object={object}
            onBad={(why) => refuse({ kind: why })}
          />
        );
      case 'pdf':
        return (
          <PdfPages
            bytes={shown.bytes}
            object={object}
            isLarge={isLarge}
            onBad={(kind) => refuse({ kind })}
          />
        );
      case 'badPicture':
      case 'badMedia':
      case 'largeMedia':
      case 'badPdf':
      case 'slowPdf':
      case 'largePdf':
        return (
          <None text={texts[shown.kind]}>
            <DownloadButton onPress={onDownload} />
          </None>
        );
      case 'none': {
        const { error } = shown;
        const isOfType = error === null || isUnshowable(error);
        return (
          <None text={whyNone(error, object)}>
            {isOfType ? (
              <DownloadButton onPress={onDownload} />
            ) : (
              <Button kind="line" size="small" icon="refresh" onPress={askHere}>
                {commonTexts.tryAgain}
              </Button>
            )}
          </None>
        );
      }
      case undefined:
        if (isAsked) return <Fetching object={object} isPlayed={isPlayed} />;
        if (isLoading && isPlayed) return <p className="preview preview--wait">{texts.lookingHere}</p>;
        if (isLoading) return <p className="preview preview--wait" aria-hidden="true" />;
        return (
          <div className="preview preview--ask">
            <AskButton onPress={askHere} />
            <p>{hint()}</p>
          </div>
        );
    }
  }

  function hint(): string {
    if (isPlayed) return texts.previewHintPlayed({ size: formatSize(object.lengthBytes ?? 0) });
    return isAutomatic && !isSmall ? texts.previewHintLarge : texts.previewHint;
  }

  /** The button disappears: keep the focus where the preview will be. */
  function askHere() {
    pane.current?.focus();
    ask();
  }
}

function whyNone(error: AppError | null, { identifier }: ObjectRow): string {
  if (error === null) return texts.noPreview({ why: texts.previewFailed });
  const isOfOtherType = error.code === 'previewUnavailable' && error.problem === 'type';
  if (isOfOtherType && isNamedForPreview(identifier)) return texts.badContents;
  const { title, what, next = '' } = errorText(error);
  if (isUnshowable(error)) return texts.noPreview({ why: `${what} ${next}`.trim() });
  // Of other errors, the button is what to do next.
  return error.code === 'connectionLost' || error.code === 'unreachable' ? title : what;
}

/** Asking again would change nothing. */
function isUnshowable({ code }: AppError): boolean {
  return code === 'previewUnavailable' || code === 'pictureTooLarge';
}

function Picture({ url, object, onBad }: { url: string; object: ObjectRow; onBad: () => void }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  return (
    <figure className="preview preview--picture">
      <div className="preview__ground">
        <img
          src={url}
          alt={texts.preview(object)}
          onLoad={({ currentTarget }) => {
            const { naturalWidth, naturalHeight } = currentTarget;
            if (naturalWidth > 0) setSize({ width: naturalWidth, height: naturalHeight });
            // Keep it as a thumbnail. If that fails, the tile shows an icon.
            keepPicture(object, currentTarget).catch(() => undefined);
          }}
          onError={onBad}
        />
      </div>
      {size !== null && <figcaption className="figures">{texts.dimensions(size)}</figcaption>}
    </figure>
  );
}

/** Audio and video too large for memory are fetched by a transfer, which reports progress. */
function Fetching({ object, isPlayed }: { object: ObjectRow; isPlayed: boolean }) {
  const progress = useObjectProgress(isPlayed ? object : undefined);
  const { doneBytes = 0, totalBytes = null } = progress ?? {};
  return (
    <p className="preview preview--wait figures">
      {totalBytes
        ? texts.loadingPlayed({ percent: formatPercent(doneBytes / totalBytes) })
        : texts.loadingPreview}
    </p>
  );
}

function None({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="preview-none">
      <span>{text}</span>
      {children}
    </div>
  );
}

function DownloadButton({ onPress }: { onPress: () => void }) {
  return (
    <Button kind="link" onPress={onPress}>
      {objectTexts.act.download}
    </Button>
  );
}

function AskButton({ onPress }: { onPress: () => void }) {
  return (
    <Button kind="line" size="small" icon="eye" onPress={onPress}>
      {texts.showPreview}
    </Button>
  );
}
