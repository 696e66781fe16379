import { useState } from 'react';
import type { ConnectionReport } from '../../../shared/contract.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { useClient } from '../../app/client.ts';
import { useAct } from '../../app/use-act.ts';
import { draftOf, emptyForm, formOf, isComplete, type Chosen, type ConnectForm } from './draft.ts';

type Step = ConnectionReport['steps'][number]['step'];

/** The form, its last test, and what can be done. A change of the form lets the test go. */
export function useConnect(profile: Profile | null, onDone: (profile: Profile) => void) {
  const client = useClient();
  const [form, setForm] = useState<ConnectForm>(() => (profile === null ? emptyForm() : formOf(profile)));
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const test = useAct();
  const save = useAct();

  function change(part: Partial<ConnectForm>): void {
    setForm((before) => ({ ...before, ...part }));
    setReport(null);
    save.clear();
  }

  async function runTest(of: ConnectForm): Promise<ConnectionReport> {
    const result = await client.call('profiles.test', {
      draft: draftOf(of),
      token: of.token,
      profileId: profile?.id ?? null,
    });
    setReport(result);
    return result;
  }

  async function store(): Promise<void> {
    const tested = report ?? (await runTest(form));
    if (!tested.ok) return;
    const draft = draftOf(form);
    if (profile === null) {
      const added = await client.call('profiles.add', { draft, token: form.token ?? '' });
      await client.call('profiles.activate', { id: added.id });
      onDone(added);
    } else {
      let changed = await client.call('profiles.update', { id: profile.id, draft });
      if (form.token !== null)
        changed = await client.call('profiles.setToken', { id: profile.id, token: form.token });
      onDone(changed);
    }
  }

  async function choose(purpose: 'authority' | 'downloadFolder'): Promise<Chosen | null> {
    const chosen = await client.call('files.chooseOne', { purpose });
    return chosen === null ? null : { kind: 'grant', ...chosen };
  }

  return {
    form,
    report,
    change,
    isTesting: test.isRunning,
    isSaving: save.isRunning,
    error: save.error ?? test.error,
    needs: neededStep(form, report),
    test: () => void test.run(async () => void (await runTest(form))),
    save: () => void save.run(store),
    choose: (purpose: 'authority' | 'downloadFolder') =>
      void save.run(async () => {
        const chosen = await choose(purpose);
        if (chosen !== null) change({ [purpose]: chosen });
      }),
    /** Chooses the authority file and tests again at once. */
    trust: () =>
      void test.run(async () => {
        const chosen = await choose('authority');
        if (chosen === null) return;
        change({ authority: chosen });
        await runTest({ ...form, authority: chosen });
      }),
  };
}

/** Why it cannot be saved yet: what is missing, or the step where the last test stopped. */
export function neededStep(form: ConnectForm, report: ConnectionReport | null): Step | 'fields' | null {
  if (!isComplete(form)) return 'fields';
  return report?.steps.find(({ result }) => result === 'failed')?.step ?? null;
}
