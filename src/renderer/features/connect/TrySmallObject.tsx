import type { ObjectTrial } from '../../../shared/contract.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { tryText } from './try-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { State } from '../../ui/State.tsx';
import { copyText } from '../../app/copy-text.ts';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = connectTexts.trial;

export type Trial = { isRunning: boolean; result: ObjectTrial | null; start: () => void };

/** Proves what a read-only request cannot: stores, reads, compares and deletes a small object, and shows each step. */
export function TrySmallObject({ trial: { isRunning, result, start } }: { trial: Trial }) {
  return (
    <>
      {result?.isLeft === true && <LeftBehind identifier={result.identifier} />}
      {result !== null && (
        <ol className="trial" aria-label={texts.steps}>
          {result.steps.map((step) => (
            <li key={step.step} className="test__step">
              <TrialStep {...step} />
            </li>
          ))}
        </ol>
      )}
      <div className="test__do">
        <Button kind="line" isPending={isRunning} onPress={start}>
          {texts.start}
        </Button>
        <span>{texts.about}</span>
      </div>
    </>
  );
}

function TrialStep({ step, result, elapsedMs, error }: ObjectTrial['steps'][number]) {
  if (result === 'notTried') {
    return (
      <>
        <State icon="unknown" tone="idle">
          {texts.waiting[step]}
        </State>
        <span className="test__say test__say--idle">{connectTexts.notTried}</span>
      </>
    );
  }
  const isFailed = result === 'failed';
  const why = error === null ? null : tryText(error);
  return (
    <>
      <State icon={isFailed ? 'fail' : 'check'} tone={isFailed ? 'bad' : 'stored'}>
        {texts[result][step]}
      </State>
      {elapsedMs !== null && (
        <span className="test__say">{texts.took({ count: Math.max(1, Math.round(elapsedMs)) })}</span>
      )}
      {why !== null && (
        <div className="test__open">
          <p>{why.what}</p>
          {why.next !== undefined && <p>{why.next}</p>}
        </div>
      )}
    </>
  );
}

function LeftBehind({ identifier }: { identifier: string }) {
  return (
    <div className="trial__left">
      <Icon name="warn" />
      <div>
        <p>{texts.isLeft}</p>
        <p className="trial__name">
          <bdi dir="ltr" className="code">
            {identifier}
          </bdi>
          <IconButton
            icon="copy"
            label={commonTexts.copyIdentifier}
            size="small"
            onPress={() => {
              if (copyText(identifier)) announce(texts.copied);
            }}
          />
        </p>
      </div>
    </div>
  );
}
