import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type Politeness = 'polite' | 'assertive';

type Said = { text: string; turn: number };
const said = createStore<Record<Politeness, Said>>(() => ({
  polite: { text: '', turn: 0 },
  assertive: { text: '', turn: 0 },
}));

/** Says it once to assistive technology: polite for done and copied, assertive for failures. */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  said.setState((state) => ({ [politeness]: { text, turn: state[politeness].turn + 1 } }));
}

/** The two places where it is said; stands once in the window. A new key makes the same words heard again. */
export function LiveRegions() {
  const { polite, assertive } = useStore(said);
  return (
    <>
      <output className="visually-hidden" aria-label="Messages">
        <span key={polite.turn}>{polite.text}</span>
      </output>
      <div className="visually-hidden" role="alert" aria-label="Urgent messages">
        <span key={assertive.turn}>{assertive.text}</span>
      </div>
    </>
  );
}
