import { useLayoutEffect, useRef, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';

type Props = {
  kind: 'audio' | 'video';
  source: Blob | string;
  object: ObjectRow;
  /** Called if it is damaged, or Chromium has no decoder for it. */
  onBad: () => void;
};

/**
 * Plays audio or video, never automatically. The source is a blob: URL, in which Chromium can seek without requests, or the address of
 * a file that is too large for memory.
 */
export function Player({ kind, source, object, onBad }: Props) {
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const element = player.current;
    if (element === null) return undefined;
    if (typeof source === 'string') {
      element.src = source;
      return undefined;
    }
    const url = URL.createObjectURL(source);
    element.src = url;
    return () => URL.revokeObjectURL(url);
  }, [source]);

  // The page has no fullscreen permission, and saving must go through a download, which verifies the bytes.
  const controls = { controls: true, controlsList: 'nodownload nofullscreen noremoteplayback' };
  const common = { ref: player, ...controls, 'aria-label': texts.preview(object), onError: onBad };
  // These are people's own files, without captions.
  /* oxlint-disable jsx-a11y/media-has-caption */
  if (kind === 'audio') {
    return (
      <figure className="preview preview--audio">
        <audio {...common} />
      </figure>
    );
  }
  return (
    <figure className="preview">
      <video
        {...common}
        disablePictureInPicture
        onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
          setSize({ width: videoWidth, height: videoHeight })
        }
      />
      {size !== null && (
        // Size 0: Chromium plays the sound of a video whose pictures it cannot decode.
        <figcaption className="figures">
          {size.width > 0 ? texts.dimensions(size) : texts.onlySound}
        </figcaption>
      )}
    </figure>
  );
}
