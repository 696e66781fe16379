import { type ReactNode, useEffect, useRef, useState } from 'react';
import { uiTexts } from '../i18n/common-texts.ts';
import { Button, IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import './toast.css';
import { PartWhile } from './part.ts';

const icons = { ok: 'check', begun: 'clock', bad: 'fail' } as const;

/** A message over the window. While hidden, its text remains available to assistive technology. */
function Toast({
  tone,
  isShown,
  onHold,
  onClose,
  act = null,
  children,
}: {
  tone: keyof typeof icons;
  isShown: boolean;
  /** Called when the pointer or focus enters or leaves. */
  onHold?: (isHeld: boolean) => void;
  /** Omitted: it cannot be closed. */
  onClose?: () => void;
  /** A button that also closes the message. */
  act?: { label: string; run: () => void } | null;
  children: ReactNode;
}) {
  return (
    <div
      onMouseEnter={() => onHold?.(true)}
      onMouseLeave={() => onHold?.(false)}
      onFocus={() => onHold?.(true)}
      onBlur={() => onHold?.(false)}
      className={isShown ? `toast toast--${tone}` : 'visually-hidden'}
    >
      <Icon name={icons[tone]} />
      {children}
      {isShown && act !== null && (
        <Button
          kind="link"
          onPress={() => {
            act.run();
            onClose?.();
          }}
        >
          {act.label}
        </Button>
      )}
      {isShown && onClose !== undefined && (
        <IconButton label={uiTexts.closeMessage} icon="x" size="small" onPress={onClose} />
      )}
    </div>
  );
}

type Politeness = 'polite' | 'assertive';

export type Act = { label: string; run: () => void };

/**
 * `turn` distinguishes repeated messages; `isOnScreen`: the text is already visible elsewhere; `hasBegun`: not done yet; `overDialog`: a
 * dialog is open, so it is shown clear of its buttons.
 */
type Said = {
  text: string;
  politeness: Politeness;
  isOnScreen: boolean;
  hasBegun: boolean;
  overDialog: boolean;
  act: Act | null;
  turn: number;
};

type Listener = {
  hear: (said: Said) => void;
  takeBack: (turn: number) => void;
  hold: (held: Held) => void;
};

/** Which messages are not shown now. */
type Held = Record<Politeness, boolean>;

const listeners = new Set<Listener>();
let turns = 0;
const holders: Record<Politeness, number> = { polite: 0, assertive: 0 };

const shownMs = 4000;
/** While another message waits for it, urgent or not. */
const shownShortlyMs = 1500;
/** With a button, which takes longer to read and to reach; `shownMs` while another polite message waits. */
const actShownMs = 8000;
const urgentShownMs = 10_000;
/** Maximum number of urgent messages, including the visible one. */
const maxUrgent = 3;
const region = { role: 'region' } as const;

/**
 * Announces a message: polite for results, assertive for failures.
 * `isOnScreen`: already visible, so it is only spoken. `hasBegun`: without the tick of what is done. `act`: a button
 * beside the message.
 * Returns a function that withdraws the message when it no longer holds.
 */
export function announce(
  text: string,
  politeness: Politeness = 'polite',
  {
    isOnScreen = false,
    hasBegun = false,
    act = null,
  }: { isOnScreen?: boolean; hasBegun?: boolean; act?: Act | null } = {},
): () => void {
  turns += 1;
  const overDialog = document.querySelector('body > .scrim') !== null;
  const said = { text, politeness, isOnScreen, hasBegun, overDialog, act, turn: turns };
  listeners.forEach(({ hear }) => hear(said));
  return () => listeners.forEach(({ takeBack }) => takeBack(said.turn));
}

/**
 * While mounted, messages of this kind are spoken but not shown, since they would cover a question. They are shown
 * afterwards.
 */
export function useMessagesHeld(politeness: Politeness): void {
  useEffect(() => {
    changeHolders(politeness, 1);
    return () => changeHolders(politeness, -1);
  }, [politeness]);
}

const isHeldNow = (): Held => ({ polite: holders.polite > 0, assertive: holders.assertive > 0 });

function changeHolders(politeness: Politeness, by: 1 | -1): void {
  holders[politeness] += by;
  listeners.forEach(({ hold }) => hold(isHeldNow()));
}

/**
 * The polite and the assertive live region. Mount once, above dialogs, which hide everything else from assistive
 * technology. Shows one message at a time. Polite messages form a queue, and those that are only spoken another one; an
 * urgent message stays longer, and while it is hovered or focused. A new urgent message precedes unread ones, which return after it.
 */
export function LiveRegions() {
  const [[polite, next], setPolite] = useState<readonly Said[]>([]);
  const [[spoken, nextSpoken], setSpoken] = useState<readonly Said[]>([]);
  const [[assertive, earlier], setAssertive] = useState<readonly Said[]>([]);
  const [isHeld, setHeld] = useState(false);
  const [isPoliteHeld, setPoliteHeld] = useState(false);
  const [isCovered, setCovered] = useState(isHeldNow);
  /** The polite message that was visible long enough to be read: a dialog that opens over it does not bring it back. */
  const read = useRef<Said | null>(null);
  useEffect(() => {
    const listener: Listener = {
      hear(said) {
        if (said.politeness === 'assertive') setAssertive((stack) => putFirst(said, stack));
        else (said.isOnScreen ? setSpoken : setPolite)((queue) => [...queue, said]);
      },
      hold(held) {
        setCovered(held);
        const { current } = read;
        if (held.polite && current !== null) setPolite((queue) => queue.filter((said) => said !== current));
      },
      takeBack(turn) {
        const without = (messages: readonly Said[]) => messages.filter((said) => said.turn !== turn);
        setAssertive(without);
        setPolite(without);
        setSpoken(without);
      },
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  const showsPolite = polite !== undefined && !isCovered.polite;
  const isPoliteWaiting = isCovered.polite || isPoliteHeld;
  // A message with a button takes longer to reach, whatever waits.
  const isUrgentWaiting = assertive?.isOnScreen === false && !isCovered.assertive && polite?.act === null;
  const isFollowed = next !== undefined || isUrgentWaiting;
  useEffect(() => {
    if (polite === undefined || isPoliteWaiting) return undefined;
    const [longMs, followedMs] = polite.act === null ? [shownMs, shownShortlyMs] : [actShownMs, shownMs];
    const timers = [
      setTimeout(() => setPolite((queue) => queue.slice(1)), isFollowed ? followedMs : longMs),
      // A message with a button does not count as read: it waits for its press.
      setTimeout(() => (read.current = polite.act === null ? polite : null), shownShortlyMs),
    ];
    return () => timers.forEach(clearTimeout);
  }, [polite, isFollowed, isPoliteWaiting]);

  const isSpokenFollowed = nextSpoken !== undefined;
  useEffect(() => {
    if (spoken === undefined) return undefined;
    const timer = setTimeout(
      () => setSpoken((queue) => queue.slice(1)),
      isSpokenFollowed ? shownShortlyMs : shownMs,
    );
    return () => clearTimeout(timer);
  }, [spoken, isSpokenFollowed]);

  const showsUrgent = assertive?.isOnScreen === false && !showsPolite && !isCovered.assertive;
  const isOverDialog = (showsPolite ? polite : assertive)?.overDialog === true;
  const isOnlySpoken = assertive?.isOnScreen === true;
  const isComingBack = earlier !== undefined;
  useEffect(() => {
    // The timeout runs only while the message is visible. A spoken-only message gives way to an earlier one.
    const hasTime = showsUrgent ? !isHeld : isOnlySpoken && isComingBack;
    if (!hasTime) return undefined;
    const timer = setTimeout(
      () => setAssertive((stack) => stack.filter((said) => said !== assertive)),
      showsUrgent ? urgentShownMs : shownShortlyMs,
    );
    return () => clearTimeout(timer);
  }, [assertive, isComingBack, isOnlySpoken, showsUrgent, isHeld]);

  const around = useRef<HTMLDivElement>(null);
  const closePolite = () => {
    setPoliteHeld(false);
    setPolite((queue) => queue.slice(1));
  };
  const close = () => {
    setHeld(false);
    setAssertive((stack) => stack.slice(1));
  };
  return (
    <div
      ref={around}
      className={isOverDialog ? 'toasts toasts--over' : 'toasts'}
      data-react-aria-top-layer="true"
    >
      {(showsUrgent || (showsPolite && polite.act !== null)) && (
        <PartWhile at={around} {...region} label={uiTexts.messages} />
      )}
      <Toast
        tone={polite?.hasBegun === true ? 'begun' : 'ok'}
        isShown={showsPolite}
        onHold={setPoliteHeld}
        act={polite?.act ?? null}
        {...(polite?.act && { onClose: closePolite })}
      >
        <output aria-label={uiTexts.messages} aria-atomic="false">
          <span key={polite?.turn}>{polite?.text}</span>
          <span key={spoken?.turn} className="visually-hidden">
            {spoken?.text}
          </span>
        </output>
      </Toast>
      <Toast tone="bad" isShown={showsUrgent} onHold={setHeld} act={assertive?.act ?? null} onClose={close}>
        <div role="alert" aria-label={uiTexts.urgentMessages}>
          <span key={assertive?.turn}>{assertive?.text}</span>
        </div>
      </Toast>
    </div>
  );
}

/** Puts a message before the unread ones, and drops those that were only to be spoken or repeat its text. */
function putFirst(said: Said, stack: readonly Said[]): readonly Said[] {
  const waiting = stack.filter(({ text, isOnScreen }) => !isOnScreen && text !== said.text);
  return [said, ...waiting].slice(0, maxUrgent);
}
