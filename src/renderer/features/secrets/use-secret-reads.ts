import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { secretTexts as texts } from '../../i18n/secret-texts.ts';
import type { Input, ObjectRow } from '../../../shared/contract.ts';
import { clipboardMs, revealMs, type SecretValue } from '../../../shared/domain/secret.ts';
import { useClient } from '../../app/client.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import type { Act } from '../../app/use-act.ts';
import { formatDuration } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { focusGrid } from '../../app/grid.ts';
import { useHideSignals } from './use-hide-signals.ts';

type Purpose = 'reveal' | 'copy' | 'save';
/** A value in the page's memory: the only copy in the page. */
export type Revealed = { id: number; value: SecretValue; hidesAtMs: number };

export type SecretReads = {
  /** Running requests. */
  reading: ReadonlyMap<number, Purpose>;
  revealed: Revealed | null;
  reveal: (row: ObjectRow) => void;
  copy: (row: ObjectRow) => void;
  /** Main asks for the file. The person was warned. */
  saveAs: (row: ObjectRow) => void;
  stop: (id: number) => void;
  hide: () => void;
};

export const revealPanelId = 'revealed-secret';

/**
 * Reads secret values and discards them: after 30 s, on Escape, when the window is left in any way, and with the
 * component. Failures go to `act`.
 */
export function useSecretReads(act: Act): SecretReads {
  const client = useClient();
  const [reading, setReading] = useState<ReadonlyMap<number, Purpose>>(new Map());
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  /** The value to show when it arrives. */
  const awaited = useRef<{ id: number } | null>(null);
  const asked = [...reading].find(([, purpose]) => purpose === 'reveal')?.[0];

  function read({ id, identifier }: ObjectRow, purpose: Purpose, work: () => Promise<void>) {
    if (reading.has(id)) return;
    announce(texts.asking({ identifier }), 'polite', { isOnScreen: true });
    setReading((before) => new Map(before).set(id, purpose));
    void act
      .run(work)
      .finally(() => setReading((before) => new Map([...before].filter(([other]) => other !== id))));
  }

  function stop(id: number) {
    // If it cannot be stopped, the value is ignored when it arrives.
    if (awaited.current?.id === id) awaited.current = null;
    client.call('secrets.stop', { id }).catch(() => undefined);
  }

  /** Stops loading a value to be shown. @returns whether one was loading */
  function stopReveal(): boolean {
    const left = awaited.current;
    if (left !== null) stop(left.id);
    return left !== null;
  }

  function show({ id, identifier }: ObjectRow, value: SecretValue) {
    setRevealed({ id, value, hidesAtMs: Date.now() + revealMs });
    announce(texts.here({ identifier, duration: formatDuration(revealMs) }), 'polite', {
      isOnScreen: true,
    });
  }

  function hide() {
    if (revealed === null) return;
    if (document.getElementById(revealPanelId)?.contains(document.activeElement)) focusGrid();
    setRevealed(null);
    announce(texts.hidden, 'polite', { isOnScreen: true });
  }

  function reveal(row: ObjectRow) {
    const { id } = row;
    if (reading.has(id)) return;
    hide();
    stopReveal();
    const mine = { id };
    awaited.current = mine;
    read(row, 'reveal', async () => {
      try {
        const value = await client.call('secrets.reveal', { id });
        if (awaited.current === mine) show(row, value);
      } finally {
        if (awaited.current === mine) awaited.current = null;
      }
    });
  }

  function copy(row: ObjectRow) {
    const { id, identifier } = row;
    const copyValue = async (input: Input<'secrets.copy'>) => {
      await client.call('secrets.copy', input);
      announce(texts.valueCopied({ identifier, duration: formatDuration(clipboardMs) }), 'polite', {
        isOnScreen: true,
      });
    };
    if (revealed?.id === id && revealed.value.kind === 'text') {
      const { text } = revealed.value;
      void act.run(() => copyValue({ id, revealed: text }));
    } else read(row, 'copy', () => copyValue({ id }));
  }

  function saveAs(row: ObjectRow) {
    read(row, 'save', async () => {
      const saved = await client.call('secrets.saveAs', { id: row.id });
      if (saved !== null) announce(texts.saved({ fileName: saved.fileName }));
    });
  }

  // Copying and saving show nothing, and the person may leave the window meanwhile.
  useHideSignals(() => {
    hide();
    if (stopReveal()) announce(texts.notRevealed, 'assertive');
  });

  const onTime = useEffectEvent(hide);
  useEffect(() => {
    if (revealed === null) return undefined;
    // The person waited in the list, so keep the focus there.
    if (document.activeElement?.closest('[role="grid"]'))
      document.getElementById(revealPanelId)?.querySelector('button')?.focus();
    const timer = setTimeout(() => onTime(), revealed.hidesAtMs - Date.now());
    return () => clearTimeout(timer);
  }, [revealed]);

  const canEscape = revealed !== null || asked !== undefined;
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // A dialog over the list handles Escape too.
    if (!isDialogOpen()) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (revealed !== null) hide();
    else if (asked !== undefined) stop(asked);
  });
  useEffect(() => {
    if (!canEscape) return undefined;
    const listen = (event: KeyboardEvent) => onEscape(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [canEscape]);

  const onLeave = useEffectEvent(stopReveal);
  useEffect(() => () => void onLeave(), []);

  return { reading, revealed, reveal, copy, saveAs, stop, hide };
}
