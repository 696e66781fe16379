import { useEffect, useState } from 'react';
import { uiTexts } from '../i18n/ui-texts.ts';
import { Toast } from './Toast.tsx';

type Politeness = 'polite' | 'assertive';

/** `turn` tells the same words said twice apart; `isOnScreen`: they can be read elsewhere in the window. */
type Said = { text: string; politeness: Politeness; isOnScreen: boolean; turn: number };

const listeners = new Set<(said: Said) => void>();
let turns = 0;

const shownMs = 4000;
/** While another one waits. */
const shownShortlyMs = 1500;

/**
 * Says it once to everyone: polite for done and copied, assertive for failures.
 * `isOnScreen`: a message that the window shows already is only spoken.
 */
export function announce(text: string, politeness: Politeness = 'polite', { isOnScreen = false } = {}): void {
  turns += 1;
  const said = { text, politeness, isOnScreen, turn: turns };
  listeners.forEach((hear) => hear(said));
}

/**
 * The two places where it is said; stands once in the window, and over dialogs, which hide everything else from
 * assistive technology. One message is seen at a time: polite ones take turns and go by themselves, an urgent one
 * stays until it is closed or another comes.
 */
export function LiveRegions() {
  const [[polite, next], setPolite] = useState<readonly Said[]>([]);
  const [assertive, setAssertive] = useState<Said | null>(null);
  useEffect(() => {
    const hear = (said: Said) => {
      if (said.politeness === 'assertive') setAssertive(said);
      else setPolite((queue) => [...queue, said]);
    };
    listeners.add(hear);
    return () => {
      listeners.delete(hear);
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

  const showsPolite = polite?.isOnScreen === false;
  return (
    <div className="toasts" data-react-aria-top-layer="true">
      <Toast tone="ok" isShown={showsPolite}>
        <output aria-label={uiTexts.messages}>
          <span key={polite?.turn}>{polite?.text}</span>
        </output>
      </Toast>
      <Toast
        tone="bad"
        isShown={assertive?.isOnScreen === false && !showsPolite}
        onClose={() => setAssertive(null)}
      >
        <div role="alert" aria-label={uiTexts.urgentMessages}>
          <span key={assertive?.turn}>{assertive?.text}</span>
        </div>
      </Toast>
    </div>
  );
}
