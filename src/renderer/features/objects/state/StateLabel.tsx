import { useClient } from '../../../app/client.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/Button.tsx';
import { formatPercent } from '../../../../shared/i18n/format.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Bar } from '../../../ui/Progress.tsx';
import { State } from '../../../ui/State.tsx';
import type { RowState } from './row-state.ts';
import './held-deletion.css';

type Props = {
  state: RowState;
  /** The object whose deletion can still be undone. */
  heldObjectId?: number | undefined;
};

/** An icon and a word, or a word above a bar while data moves. */
export function StateLabel({ state, heldObjectId }: Props) {
  if (heldObjectId !== undefined) return <HeldDeletion id={heldObjectId} state={state} />;
  if (state.tone !== 'moving') {
    return (
      <State tone={state.tone === 'editing' ? 'moving' : state.tone} icon={state.icon} title={state.whole}>
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

function HeldDeletion({ id, state }: { id: number; state: RowState }) {
  const client = useClient();
  async function undo() {
    const { isKept } = await client.call('objects.keep', { id });
    if (isKept) announce(objectChangeTexts.task.undone({ count: 1 }));
  }
  return (
    <span className="held-deletion">
      <StateLabel state={state} />
      <Button kind="link" excludeFromTabOrder onPress={() => sayFailure(undo())}>
        {commonTexts.undo}
      </Button>
    </span>
  );
}
