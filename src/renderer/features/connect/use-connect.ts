import { useState } from 'react';
import type { ConnectionReport, ObjectTrial } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { useAct } from '../../app/use-act.ts';
import type { useKeptChanges } from '../../app/service-part.tsx';
import { asksForPassword } from '../../app/proxy-password.ts';
import { isOptionalField, type ServiceField } from '../../app/service-field.ts';
import {
  draftOf,
  emptyForm,
  formOf,
  hasOptional,
  isComplete,
  passphraseOf,
  tokenOf,
  type Chosen,
  type ConnectForm,
} from './draft.ts';
import { failureOf, wrongFieldOf } from './wrong-field.ts';

type Step = ConnectionReport['steps'][number]['step'];
type Purpose = 'authority' | 'clientCertificate' | 'downloadFolder';

/** A result with the form it belongs to, so that late results for an earlier form are ignored. */
type Of<T> = { form: ConnectForm; result: T } | null;

/**
 * The form, its last test, and the possible actions. Changing the form discards the test.
 * @param field the field the form is opened for; `token` clears the stored token
 * @param own changes that are stored with the form; alone they need no connection
 * @param onDone its `connected` is null if the connection is as before
 */
export function useConnect(
  service: Service | null,
  field: ServiceField | null,
  own: Pick<ReturnType<typeof useKeptChanges>, 'isEdited' | 'store'>,
  onDone: (connected: Service | null) => void,
) {
  const client = useClient();
  const [start] = useState<ConnectForm>(() => startOf(service, field));
  const [form, setForm] = useState(start);
  const [isOptionalShown, setOptionalShown] = useState(() => hasOptional(form) || isOptionalField(field));
  const [tested, setTested] = useState<Of<ConnectionReport>>(null);
  const [tried, setTried] = useState<Of<ObjectTrial>>(null);
  const report = tested?.form === form ? tested.result : null;
  const trial = tried?.form === form ? tried.result : null;
  const test = useAct();
  const attempt = useAct();
  const save = useAct();
  const token = tokenOf(form, service);
  const failure = failureOf(report, trial) ?? save.error;
  const isFormEdited = JSON.stringify(form) !== JSON.stringify(start);
  const isOwnOnly = own.isEdited && !isFormEdited;
  function change(part: Partial<ConnectForm>): void {
    setForm((before) => ({ ...before, ...part }));
    for (const act of [test, attempt, save]) act.clear();
  }

  const connectionOf = (of: ConnectForm) => ({
    draft: draftOf(of),
    token: tokenOf(of, service),
    ...passphraseOf(of),
    serviceId: service?.id ?? null,
  });

  async function runTest(of: ConnectForm): Promise<ConnectionReport> {
    const result = await client.call('services.test', connectionOf(of));
    setTested({ form: of, result });
    setTried(null);
    const wrong = wrongFieldOf(failureOf(result, null));
    if (isOptionalField(wrong?.field ?? null)) setOptionalShown(true);
    return result;
  }

  async function store(unfinished: 'ask' | 'cancel'): Promise<void> {
    if (isOwnOnly) {
      await own.store();
      return onDone(null);
    }
    const tested = report ?? (await runTest(form));
    if (!tested.ok) return;
    const draft = { draft: draftOf(form), ...passphraseOf(form) };
    if (service === null) {
      const added = await client.call('services.add', { ...draft, token: token ?? '' });
      await client.call('services.activate', { id: added.id });
      onDone(added);
    } else {
      const credentials = token === null ? {} : { token };
      const changed = { id: service.id, ...draft, ...credentials, unfinished };
      const updated = await client.call('services.update', changed);
      await own.store();
      onDone(updated);
    }
  }

  async function choose(purpose: Purpose): Promise<Chosen | null> {
    const chosen = await client.call('files.chooseOne', { purpose });
    return chosen === null ? null : { kind: 'grant', ...chosen };
  }

  return {
    form,
    /** null: keep the stored one. */
    token,
    report,
    change,
    isEdited: isFormEdited || own.isEdited,
    isTesting: test.isRunning,
    isSaving: save.isRunning,
    error: save.error ?? attempt.error ?? test.error,
    needs: isOwnOnly ? null : isComplete(form, token) ? whatIsNeeded(report, trial) : ('fields' as const),
    /** The error of the last test. */
    failure,
    wrong: wrongFieldOf(failure),
    isOptionalShown,
    setOptionalShown,
    trial: {
      isRunning: attempt.isRunning,
      result: trial,
      start: () =>
        void attempt.run(async () => {
          setTried(null);
          setTried({ form, result: await client.call('services.tryObject', connectionOf(form)) });
        }),
    },
    test: () => void test.run(async () => void (await runTest(form))),
    save: () => void save.run(() => store('ask')),
    /** Saves another address and cancels unfinished transfers, which are not sent to it. */
    cancelAndSave: () => void save.run(() => store('cancel')),
    /** Keeps the current address. */
    keepAddress: () => save.clear(),
    choose: (purpose: Purpose) =>
      void save.run(async () => {
        const chosen = await choose(purpose);
        // A new file has a new passphrase.
        const locked = purpose === 'clientCertificate' && { passphrase: '' };
        if (chosen !== null) change({ [purpose]: chosen, ...locked });
      }),
    /** Chooses the authority file and tests again. */
    trust: () =>
      void test.run(async () => {
        const chosen = await choose('authority');
        if (chosen === null) return;
        const trusting = { ...form, authority: chosen };
        setForm(trusting);
        await runTest(trusting);
      }),
  };
}

function startOf(service: Service | null, field: ServiceField | null): ConnectForm {
  if (service === null) return emptyForm();
  const isReplaced = field === 'token' && !service.isLocal;
  return isReplaced ? { ...formOf(service), token: '' } : formOf(service);
}

/** The failed step, or the credential that would fix it. */
function whatIsNeeded(
  report: ConnectionReport | null,
  trial: ObjectTrial | null,
): Step | 'password' | 'clientCertificate' | null {
  const error = failureOf(report, trial);
  if (asksForPassword(error)) return 'password';
  if (error?.code === 'clientCertificateRefused' || error?.code === 'badClientCertificate')
    return 'clientCertificate';
  return report?.steps.find(({ result }) => result === 'failed')?.step ?? (error === null ? null : 'service');
}
