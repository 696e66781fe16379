import { showFailure, type Failure } from '../../../app/dock-list/failure-store.ts';
import { remediesOf } from '../../../app/dock-list/remedies.ts';
import { useFailureActs } from '../../../app/dock-list/use-remedies.ts';
import { dockTexts } from '../../../i18n/dock-texts.ts';
import { failureFacts, failureText } from '../../../i18n/ending-text.ts';
import { whereText } from '../../../i18n/replace-texts.ts';
import type { ObjectFailure as Facts, ObjectRow } from '../../../../shared/contract.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';

type Props = {
  object: ObjectRow;
  failure: Facts;
  /** Called after a remedy was chosen: this component, and the focus in it, disappear. */
  onActed: () => void;
};

/** Why the last transfer of an object failed, with the same remedies as in the lists of transfers and jobs. */
export function ObjectFailure({
  object,
  failure: { id, list, direction, error, replacing, ...facts },
  onActed,
}: Props) {
  const failure: Failure = {
    list,
    serviceId: object.serviceId,
    name: object.identifier,
    direction,
    which: [id],
    error,
    facts: failureFacts({ error, ...facts }),
    // No remedies for secrets: the value to store is gone, and the row can read it again.
    remedies: object.kind === 'secret' ? [] : remediesOf(error.code, direction),
  };
  const { remedy } = useFailureActs(failure);
  return (
    <section className="object-failure" aria-label={dockTexts.failure[direction]}>
      <p className="object-failure__text figures selectable">
        <Icon name="fail" />
        <span>{[failureText(error, direction), ...whereText(replacing)].join(' ')}</span>
      </p>
      {failure.facts !== '' && <p className="object-failure__facts figures selectable">{failure.facts}</p>}
      {failure.remedies.length > 0 && (
        <p className="object-failure__do">
          {remedy !== null && (
            <Button
              kind="line"
              size="small"
              onPress={() => {
                const [first] = failure.remedies;
                if (first === 'again' || first === 'takeIt' || first === 'remove') onActed();
                remedy.run();
              }}
            >
              {remedy.label}
            </Button>
          )}
          <Button kind="link" onPress={() => showFailure(failure)}>
            {dockTexts.failure.whole}
          </Button>
        </p>
      )}
    </section>
  );
}
