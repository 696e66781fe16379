import { type ReactNode, useEffect, useRef, useState } from 'react';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { clipboardMs, type ClipboardState } from '../../../shared/domain/secret.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useClipboard } from '../../app/stores.ts';
import { useNow } from '../../app/use-now.ts';
import { formatDuration } from '../../../shared/i18n/format.ts';
import { fill } from '../../i18n/rich.tsx';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Ring } from '../../ui/Progress.tsx';
import './clipboard-line.css';

const texts = secretTexts.clipboard;

/**
 * In the bottom line, while a secret or an invitation is on the clipboard: which one, and for how long. Announces when it is removed.
 */
export function ClipboardLine() {
  const client = useClient();
  const clipboard = useClipboard();
  const objectId = clipboard?.objectId ?? null;
  const clearsAtMs = clipboard?.clearsAtMs ?? null;
  const identifier = useIdentifier(objectId);
  const nowMs = useNow(clearsAtMs === null ? null : 1000);

  const before = useRef(clearsAtMs);
  useEffect(() => {
    if (before.current !== null && clearsAtMs === null) announce(texts.cleared);
    before.current = clearsAtMs;
  }, [clearsAtMs]);

  if (clipboard === null || clearsAtMs === null) return null;
  const leftMs = Math.min(clipboardMs, Math.max(0, clearsAtMs - nowMs));
  const duration = formatDuration(leftMs);
  return (
    <span className="clipboard-line figures">
      <Ring size={16} left={leftMs / clipboardMs} />
      <span className="clipboard-line__text">{textOf(clipboard, identifier, duration)}</span>
      <Button kind="link" onPress={() => sayFailure(client.call('secrets.clearClipboard'))}>
        {texts.clear}
      </Button>
    </span>
  );
}

function textOf(
  { objectId, waitsForFocus }: ClipboardState,
  identifier: string | null,
  duration: string,
): ReactNode {
  if (objectId === null) return waitsForFocus ? texts.heldInvitation : texts.onInvitation({ duration });
  if (waitsForFocus) return identifier === null ? texts.heldUnnamed : texts.held({ identifier });
  if (identifier === null) return texts.onUnnamed({ duration });
  return fill(texts.on, { identifier: <bdi className="clipboard-line__name">{identifier}</bdi>, duration });
}

function useIdentifier(id: number | null): string | null {
  const client = useClient();
  const [known, setKnown] = useState<{ id: number; identifier: string } | null>(null);
  useEffect(() => {
    if (id === null) return;
    client.call('objects.get', { id }).then(
      ({ object }) => setKnown({ id, identifier: object.identifier }),
      () => undefined, // no longer in the list: shown without its name
    );
  }, [client, id]);
  return known?.id === id ? known.identifier : null;
}
