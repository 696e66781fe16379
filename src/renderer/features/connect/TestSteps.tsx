import { useState } from 'react';
import type { ConnectionReport } from '../../../shared/contract.ts';
import type { AppErrorOf } from '../../../shared/errors.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatDate } from '../../../shared/i18n/format.ts';
import { proxyName } from '../../../shared/i18n/way-text.ts';
import { Button } from '../../ui/Button.tsx';
import { State } from '../../ui/State.tsx';
import { ProxyDialog } from './ProxyDialog.tsx';
import { tryText } from './try-text.ts';
import { TrySmallObject, type Trial } from './TrySmallObject.tsx';
import { asksForPassword } from '../../app/proxy-password.ts';

type Props = { report: ConnectionReport; trial: Trial; onTrust: () => void; onSignedIn: () => void };

/** The failed step first, expanded with details and remedy; then the others in order. Stays visible beside the form. */
export function TestSteps(props: Props) {
  const { report, ...rest } = props;
  const worth = report.steps.filter((step, at) => isWorthSaying(step, at, report));
  const isFailed = ({ result }: StepProps['step']) => result === 'failed';
  const steps = [...worth.filter(isFailed), ...worth.filter((step) => !isFailed(step))];
  return (
    <div className="connect__test" role={report.ok ? 'status' : 'alert'}>
      <ol className="test" aria-label={texts.test}>
        {steps.map((step) => (
          <li key={step.step} className="test__step">
            <Step step={step} report={report} {...rest} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Leaves out steps that need no mention: a valid address, an absent proxy, and the certificate without https. */
function isWorthSaying(
  { step, result }: ConnectionReport['steps'][number],
  at: number,
  { steps, proxy }: ConnectionReport,
): boolean {
  if (step === 'proxy') return result === 'failed' || proxy !== null;
  if (step === 'address') return result === 'failed';
  return result !== 'notTried' || steps.slice(at).every((later) => later.result === 'notTried');
}

type StepProps = Props & { step: ConnectionReport['steps'][number] };

function Step({ step, report: { host, proxy }, trial, onTrust, onSignedIn }: StepProps) {
  if (step.isUnproven === true) return <UnprovenStep trial={trial} />;
  switch (step.result) {
    case 'passed':
      return (
        <>
          <State icon="check" tone="stored">
            {texts.passed[step.step]}
          </State>
          {step.step === 'proxy' && proxy !== null && <bdi className="test__say">{proxyName(proxy)}</bdi>}
          {step.step === 'reach' && step.elapsedMs !== null && (
            <span className="test__say">
              {texts.answeredIn({ host, count: Math.max(1, Math.round(step.elapsedMs)) })}
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
      return <FailedStep step={step} onTrust={onTrust} onSignedIn={onSignedIn} />;
  }
}

/** Passed as far as a read-only request can tell. Only storing an object proves the path. */
function UnprovenStep({ trial }: { trial: Trial }) {
  const passed = trial.result?.steps.filter(({ result }) => result === 'passed') ?? [];
  const isWhole = passed.length > 0 && passed.length === trial.result?.steps.length;
  return (
    <>
      {passed.some(({ step }) => step === 'store') ? (
        <State icon="check" tone="stored">
          {isWhole ? texts.passed.service : texts.unproven.proven}
        </State>
      ) : (
        <State icon="unknown" tone="wait">
          {texts.unproven.title}
        </State>
      )}
      <div className="test__open">
        {trial.result === null && <p>{texts.unproven.text}</p>}
        <TrySmallObject trial={trial} />
      </div>
    </>
  );
}

function FailedStep({ step: { step, error }, onTrust, onSignedIn }: Omit<StepProps, 'report' | 'trial'>) {
  const text = error === null ? null : tryText(error);
  const certificate = error?.code === 'certificateNotTrusted' ? error : null;
  return (
    <>
      <State icon="fail" tone="bad">
        {text?.title ?? texts.waiting[step]}
      </State>
      {text !== null && (
        <div className="test__open">
          <p>{text.what}</p>
          {certificate !== null ? (
            <Certificate error={certificate} onTrust={onTrust} />
          ) : asksForPassword(error) ? (
            <SignIn proxy={error.proxy} onSignedIn={onSignedIn} />
          ) : (
            <p>{text.next}</p>
          )}
        </div>
      )}
    </>
  );
}

function SignIn({ proxy, onSignedIn }: { proxy: string; onSignedIn: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  return (
    <div className="test__do">
      <Button kind="line" onPress={() => setOpen(true)}>
        {texts.proxyPassword.enter}
      </Button>
      <span>{isKeychainUsable ? texts.proxyPassword.kept : texts.proxyPassword.session}</span>
      {isOpen && <ProxyDialog proxy={proxy} onClose={() => setOpen(false)} onSignedIn={onSignedIn} />}
    </div>
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

/** Groups of eight, four per line, so that two people can compare it aloud. */
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
