import { formatPercent } from '../../../../shared/i18n/format.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Bar } from '../../../ui/Progress.tsx';
import { State } from '../../../ui/State.tsx';
import type { RowState } from './row-state.ts';

/** An icon and a word, or a word above a bar while data moves. */
export function StateLabel({ state }: { state: RowState }) {
  if (state.tone !== 'moving') {
    return (
      <State tone={state.tone === 'editing' ? 'moving' : state.tone} icon={state.icon}>
        {state.word}
      </State>
    );
  }
  const { word, fraction, icon, whole } = state;
  return (
    <span className="moving figures" title={whole}>
      <span className="moving__word">
        {icon && <Icon name={icon} />}
        {word}
      </span>
      {fraction !== null && <span>{formatPercent(fraction)}</span>}
      <Bar fraction={fraction} />
    </span>
  );
}
