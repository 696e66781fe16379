import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Toast } from './Toast.tsx';

type Politeness = 'polite' | 'assertive';

/** `turn` tells the same words said twice apart; `isOnScreen`: they can be read elsewhere in the window. */
type Said = { text: string; turn: number; isOnScreen: boolean };
const nothing: Said = { text: '', turn: 0, isOnScreen: false };
const said = createStore<Record<Politeness, Said>>(() => ({ polite: nothing, assertive: nothing }));

const politeShownMs = 4000;

/**
 * Says it once to everyone: polite for done and copied, assertive for failures.
 * `isOnScreen`: a message that the window shows already is only spoken.
 */
export function announce(text: string, politeness: Politeness = 'polite', { isOnScreen = false } = {}): void {
  said.setState((state) => ({ [politeness]: { text, turn: state[politeness].turn + 1, isOnScreen } }));
}

function hush(politeness: Politeness): void {
  said.setState((state) => ({ [politeness]: { ...state[politeness], text: '' } }));
}

/**
 * The two places where it is said; stands once in the window, and over dialogs, which hide everything else from
 * assistive technology. One message is seen at a time: a polite one goes by itself, an urgent one stays until closed.
 */
export function LiveRegions() {
  const { polite, assertive } = useStore(said);
  useEffect(() => {
    if (polite.text === '') return undefined;
    const timer = setTimeout(() => hush('polite'), politeShownMs);
    return () => clearTimeout(timer);
  }, [polite]);
  const showsPolite = polite.text !== '' && !polite.isOnScreen;
  const showsAssertive = assertive.text !== '' && !assertive.isOnScreen && !showsPolite;
  return (
    <div className="toasts" data-react-aria-top-layer="true">
      <Toast tone="ok" isShown={showsPolite}>
        <output aria-label="Messages">
          <span key={polite.turn}>{polite.text}</span>
        </output>
      </Toast>
      <Toast tone="bad" isShown={showsAssertive} onClose={() => hush('assertive')}>
        <div role="alert" aria-label="Urgent messages">
          <span key={assertive.turn}>{assertive.text}</span>
        </div>
      </Toast>
    </div>
  );
}
