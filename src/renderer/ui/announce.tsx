import { useEffect, useRef, useState } from 'react';
import { uiTexts } from '../i18n/ui-texts.ts';
import { PartWhile } from './part.ts';
import { Toast } from './Toast.tsx';

type Politeness = 'polite' | 'assertive';

/** The one thing to do about it. */
type Act = { label: string; run: () => void };

/** `turn` tells the same words said twice apart; `isOnScreen`: they can be read elsewhere in the window. */
type Said = { text: string; politeness: Politeness; isOnScreen: boolean; act: Act | null; turn: number };

type Listener = {
  hear: (said: Said) => void;
  takeBack: (turn: number) => void;
  hold: (isHeld: boolean) => void;
};

const listeners = new Set<Listener>();
let turns = 0;
let holders = 0;

const shownMs = 4000;
/** While another one waits. */
const shownShortlyMs = 1500;
const urgentShownMs = 10_000;
/** Urgent ones that are kept, the one that is shown among them. */
const maxUrgent = 3;
const region = { role: 'region' } as const;

/**
 * Says it once to everyone: polite for done and copied, assertive for failures.
 * `isOnScreen`: a message that the window shows already is only spoken. `act`: a button beside an urgent one.
 * Answers a function that takes it back, for when it is no longer so.
 */
export function announce(
  text: string,
  politeness: Politeness = 'polite',
  { isOnScreen = false, act = null }: { isOnScreen?: boolean; act?: Act | null } = {},
): () => void {
  turns += 1;
  const said = { text, politeness, isOnScreen, act, turn: turns };
  listeners.forEach(({ hear }) => hear(said));
  return () => listeners.forEach(({ takeBack }) => takeBack(said.turn));
}

/** While it is mounted, messages are spoken but not seen: they would lie over what asks. An urgent one is seen afterwards. */
export function useMessagesHeld(): void {
  useEffect(() => {
    changeHolders(1);
    return () => changeHolders(-1);
  }, []);
}

function changeHolders(by: 1 | -1): void {
  holders += by;
  listeners.forEach(({ hold }) => hold(holders > 0));
}

/**
 * The two places where it is said; stands once in the window, and over dialogs, which hide everything else from
 * assistive technology. One message is seen at a time: polite ones take turns, an urgent one stays longer, and as long as
 * the pointer or the focus is on it. A new urgent one comes before those that were not read to the end, which come back after it.
 */
export function LiveRegions() {
  const [[polite, next], setPolite] = useState<readonly Said[]>([]);
  const [[assertive, earlier], setAssertive] = useState<readonly Said[]>([]);
  const [isHeld, setHeld] = useState(false);
  const [isCovered, setCovered] = useState(holders > 0);
  useEffect(() => {
    const listener: Listener = {
      hear(said) {
        if (said.politeness === 'assertive') setAssertive((stack) => putFirst(said, stack));
        else setPolite((queue) => [...queue, said]);
      },
      hold: setCovered,
      takeBack(turn) {
        const without = (messages: readonly Said[]) => messages.filter((said) => said.turn !== turn);
        setAssertive(without);
        setPolite(without);
      },
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  const isFollowed = next !== undefined;
  useEffect(() => {
    if (polite === undefined) return undefined;
    const timer = setTimeout(
      () => setPolite((queue) => queue.slice(1)),
      isFollowed ? shownShortlyMs : shownMs,
    );
    return () => clearTimeout(timer);
  }, [polite, isFollowed]);

  const showsPolite = polite?.isOnScreen === false && !isCovered;
  const showsUrgent = assertive?.isOnScreen === false && !showsPolite && !isCovered;
  const isOnlySpoken = assertive?.isOnScreen === true;
  const isComingBack = earlier !== undefined;
  useEffect(() => {
    // Its time runs while it can be seen. One that is only spoken makes way for an earlier one.
    const hasTime = showsUrgent ? !isHeld : isOnlySpoken && isComingBack;
    if (!hasTime) return undefined;
    const timer = setTimeout(
      () => setAssertive((stack) => stack.filter((said) => said !== assertive)),
      showsUrgent ? urgentShownMs : shownShortlyMs,
    );
    return () => clearTimeout(timer);
  }, [assertive, isComingBack, isOnlySpoken, showsUrgent, isHeld]);

  const around = useRef<HTMLDivElement>(null);
  const close = () => {
    setHeld(false);
    setAssertive((stack) => stack.slice(1));
  };
  return (
    <div ref={around} className="toasts" data-react-aria-top-layer="true">
      {showsUrgent && <PartWhile at={around} {...region} label={uiTexts.messages} />}
      <Toast tone="ok" isShown={showsPolite}>
        <output aria-label={uiTexts.messages}>
          <span key={polite?.turn}>{polite?.text}</span>
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

/** Before those that still wait to be seen: neither what was only to be spoken, nor the same words. */
function putFirst(said: Said, stack: readonly Said[]): readonly Said[] {
  const waiting = stack.filter(({ text, isOnScreen }) => !isOnScreen && text !== said.text);
  return [said, ...waiting].slice(0, maxUrgent);
}
