import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { useClient } from '../../../app/client.ts';
import { limitMemory } from './memory-limit.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';

type Props = {
  kind: 'audio' | 'video';
  source: Blob | string;
  object: ObjectRow;
  /** Called if it is damaged, or Chromium has no decoder for it; or if its frames take too much memory. */
  onBad: (why: 'badMedia' | 'largeMedia') => void;
};

/**
 * Plays audio or video, never automatically. The source is a blob: URL, in which Chromium can seek without requests, or the address of
 * a file that is too large for memory.
 */
export function Player({ kind, source, object, onBad }: Props) {
  const client = useClient();
  const fail = useEffectEvent(onBad);
  const player = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useLayoutEffect(() => {
    const element = player.current;
    if (element === null) return undefined;
    const url = typeof source === 'string' ? source : URL.createObjectURL(source);
    const gone = new AbortController();
    const unload = () => {
      gone.abort();
      if (typeof source !== 'string') URL.revokeObjectURL(url);
      element.removeAttribute('src');
      // Ends its decoders at once, and not when it is collected.
      element.load();
    };
    if (kind === 'video') {
      limitMemory(client, gone.signal).addEventListener('abort', () => {
        unload();
        fail('largeMedia');
      });
    }
    element.src = url;
    return unload;
  }, [client, kind, source]);

  // The page has no fullscreen permission, and saving must go through a download, which verifies the bytes.
  const controls = { controls: true, controlsList: 'nodownload nofullscreen noremoteplayback' };
  const common = {
    ref: player,
    ...controls,
    'aria-label': texts.preview(object),
    onError: () => onBad('badMedia'),
  };
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
