import { useEffect, useRef } from 'react';
import type { ConnectionReport } from '../../../shared/contract.ts';
import type { AppErrorOf } from '../../../shared/errors.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatDate } from '../../i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { State } from '../../ui/State.tsx';

/** The steps in order: the failed one open with its facts and its remedy, the rest as not tried. */
export function TestSteps({ report, onTrust }: { report: ConnectionReport; onTrust: () => void }) {
  const steps = useRef<HTMLDivElement>(null);
  // Below a long form it could not be seen. Scrolling answers a promise, which is nothing to clean up with.
  useEffect(() => {
    steps.current?.scrollIntoView({ block: 'nearest' });
  }, [report]);
  return (
    <div role={report.ok ? 'status' : 'alert'} ref={steps}>
      <ol className="test" aria-label={texts.test}>
        {report.steps.filter(isWorthSaying).map((step) => (
          <li key={step.step} className="test__step">
            <Step step={step} host={report.host} onTrust={onTrust} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** That an address is an address goes without saying, and so does a certificate that an address without https has not. */
function isWorthSaying(
  { step, result }: ConnectionReport['steps'][number],
  at: number,
  steps: ConnectionReport['steps'],
): boolean {
  if (step === 'address') return result === 'failed';
  return result !== 'notTried' || steps.slice(at).every((later) => later.result === 'notTried');
}

type StepProps = { step: ConnectionReport['steps'][number]; host: string; onTrust: () => void };

function Step({ step, host, onTrust }: StepProps) {
  switch (step.result) {
    case 'passed':
      return (
        <>
          <State icon="check" tone="stored">
            {texts.passed[step.step]}
          </State>
          {step.step === 'reach' && step.elapsedMs !== null && (
            <span className="test__say">
              {texts.answeredIn(host, `${Math.max(1, Math.round(step.elapsedMs))} ms`)}
            </span>
          )}
        </>
      );
    case 'notTried':
      return (
        <>
          <State icon="unknown" tone="idle">
            {texts.waiting[step.step]}
          </State>
          <span className="test__say test__say--idle">{texts.notTried}</span>
        </>
      );
    case 'failed':
      return <FailedStep step={step} onTrust={onTrust} />;
  }
}

function FailedStep({ step: { step, error }, onTrust }: Pick<StepProps, 'step' | 'onTrust'>) {
  const text = error === null ? null : errorText(error);
  const certificate = error?.code === 'certificateNotTrusted' ? error : null;
  return (
    <>
      <State icon="fail" tone="bad">
        {text?.title ?? texts.waiting[step]}
      </State>
      {text !== null && (
        <div className="test__open">
          <p>{text.what}</p>
          {certificate === null ? <p>{text.next}</p> : <Certificate error={certificate} onTrust={onTrust} />}
        </div>
      )}
    </>
  );
}

function Certificate({
  error,
  onTrust,
}: {
  error: AppErrorOf<'certificateNotTrusted'>;
  onTrust: () => void;
}) {
  const validUntil = Date.parse(error.validUntil);
  const canBeTrusted = error.reason === 'unknownAuthority' || error.reason === 'selfSigned';
  return (
    <>
      <dl className="test__facts">
        <dt>{texts.issuedBy}</dt>
        <dd>{error.issuer}</dd>
        <dt>{texts.validUntil}</dt>
        <dd>{Number.isNaN(validUntil) ? error.validUntil : formatDate(validUntil)}</dd>
        <dt>{texts.fingerprint}</dt>
        <dd className="code">{groupFingerprint(error.fingerprint)}</dd>
      </dl>
      {canBeTrusted ? (
        <div className="test__do">
          <Button kind="line" onPress={onTrust}>
            {texts.trustFile}
          </Button>
          <span>{texts.compareFirst}</span>
        </div>
      ) : (
        <p>{errorText(error).next}</p>
      )}
    </>
  );
}

/** Groups of eight, four in a line: what two people can read to each other. */
function groupFingerprint(fingerprint: string): string {
  const groups =
    fingerprint
      .replaceAll(':', '')
      .toLowerCase()
      .match(/.{1,8}/g) ?? [];
  return groups
    .map((group, index) => group + (index % 4 === 3 ? '\n' : ' '))
    .join('')
    .trim();
}
