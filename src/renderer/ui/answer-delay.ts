import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';

/** How long the window must be left alone before a question that came unasked can be answered, in ms. */
export const answerDelayMs = 1000;
/** How long presses count as meant for the question that has gone, in ms. */
export const stalePressMs = 500;

/** waiting: for the window or the dialog to come to the front; counting: the delay runs. */
type Phase = 'waiting' | 'counting' | 'ready';
/** `turn` changes with each start of the delay. */
type Delay = { phase: Phase; turn: number };

const touches = ['pointerdown', 'keydown', 'wheel'] as const;
const dialogs = '[role="dialog"], [role="alertdialog"]';

/**
 * Whether a question that came unasked may be answered: once nobody has touched the window for `answerDelayMs` while it was
 * visible in front. It stays so until another question takes its place, or another window or dialog has covered it.
 * @param question identifies what an answer would be for; null: the person asked, so there is no delay
 * @param within a part of the question
 */
export function useAnswerDelay(question: string | null, within: RefObject<Element | null>): Delay {
  const [delay, setDelay] = useState<Delay & { question: string | null }>({
    question,
    phase: 'waiting',
    turn: 0,
  });
  useEffect(() => {
    if (question === null) return undefined;
    let isReady = false;
    const change = (phase: Phase) => {
      isReady = phase === 'ready';
      setDelay(({ turn }) => ({ question, phase, turn: phase === 'counting' ? turn + 1 : turn }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isInFront = isFrontmost(within.current);
    const begin = () => {
      clearTimeout(timer);
      isInFront = isFrontmost(within.current);
      change(isInFront ? 'counting' : 'waiting');
      if (isInFront) timer = setTimeout(change, answerDelayMs, 'ready');
    };
    const touch = () => {
      if (!isReady) begin();
    };
    const check = () => {
      if (isFrontmost(within.current) !== isInFront) begin();
    };
    begin();
    const stop = new AbortController();
    const { signal } = stop;
    for (const type of touches) window.addEventListener(type, touch, { signal, capture: true });
    for (const type of ['focus', 'blur'] as const) window.addEventListener(type, begin, { signal });
    document.addEventListener('focusin', check, { signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question, within]);
  if (question === null) return { phase: 'ready', turn: 0 };
  // Before the effect for a new question has run, what is known is about the one before.
  return delay.question === question ? delay : { phase: 'waiting', turn: delay.turn };
}

/** Whether a key or click would reach this element's dialog: the window has the focus, and no other dialog has it. */
function isFrontmost(element: Element | null): boolean {
  const focused = document.activeElement?.closest(dialogs) ?? null;
  return document.hasFocus() && (focused === null || focused === element?.closest(dialogs));
}

const presses = ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'keydown'] as const;
const pressKeys: ReadonlySet<string> = new Set(['Enter', 'Escape']);
/** In a field these are typed: a person who goes on typing when a dialog goes loses no character. */
const pressOrTextKeys: ReadonlySet<string> = new Set([' ', 'Delete', 'Backspace']);

/**
 * For a question that may go by itself, or make room for the next one: presses just after that were meant for this one, and
 * reach nothing that takes its place.
 */
export function usePressesIgnoredAfter(): void {
  useLayoutEffect(() => ignorePresses, []);
}

function ignorePresses(): void {
  const stop = new AbortController();
  const ignore = (event: Event) => {
    if (event instanceof KeyboardEvent && !isPress(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const type of presses) window.addEventListener(type, ignore, { signal: stop.signal, capture: true });
  setTimeout(() => stop.abort(), stalePressMs);
}

function isPress({ key, target }: KeyboardEvent): boolean {
  const isInField = target instanceof Element && target.matches('input, textarea');
  return pressKeys.has(key) || (pressOrTextKeys.has(key) && !isInField);
}
