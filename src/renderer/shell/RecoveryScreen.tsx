import { useState } from 'react';
import type { AppInfo } from '../../shared/contract.ts';
import { FirstScreen } from '../features/connect/FirstScreen.tsx';
import { appTexts } from '../i18n/app-texts.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { formatClock, formatDate } from '../../shared/i18n/format.ts';
import { Button } from '../ui/Button.tsx';
import { ChoiceList } from '../ui/Choice.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { useClient } from '../app/client.ts';
import { useStores } from '../app/stores.ts';
import { useAct } from '../app/use-act.ts';
import './recovery-screen.css';
import { commonTexts } from '../i18n/common-texts.ts';

const texts = appTexts.recovery;

type Broken = Extract<AppInfo['catalogue'], { state: 'broken' }>;

/** Shown when the catalogue is unreadable: what is safe, and how to continue. */
export function RecoveryScreen({ catalogue }: { catalogue: Broken }) {
  const client = useClient();
  const stores = useStores();
  const { copies, setAsideName } = catalogue;
  const newest = copies.toSorted((a, b) => b.madeAtMs - a.madeAtMs);
  const [chosen, setChosen] = useState(newest[0]?.id ?? '');
  const recover = useAct();
  const goOn = (copyId: string | null) =>
    void recover.run(async () => {
      await client.call('catalogue.recover', { copyId });
      await Promise.all([stores.info.refresh(), stores.services.refresh(), stores.settings.refresh()]);
    });
  return (
    <FirstScreen>
      <div className="welcome recovery">
        <h1 className="recovery__title">{texts.title}</h1>
        <p className="welcome__lead">{texts.lead({ name: setAsideName })}</p>
        {newest.length === 0 ? (
          <p className="recovery__none">{texts.none}</p>
        ) : (
          <>
            <h2 className="recovery__head">{texts.copies}</h2>
            <ChoiceList
              label={texts.copies}
              value={chosen}
              onChange={setChosen}
              choices={newest.map(({ id, madeAtMs, objects }) => ({
                value: id,
                label: texts.madeAt({ date: formatDate(madeAtMs), time: formatClock(madeAtMs) }),
                text: commonTexts.objects({ count: objects }),
              }))}
            />
          </>
        )}
        {recover.error !== null && <ErrorNote {...errorText(recover.error)} />}
        <div className="recovery__do">
          <Button size="large" kind="line" isPending={recover.isRunning} onPress={() => goOn(null)}>
            {texts.empty}
          </Button>
          {newest.length > 0 && (
            <Button size="large" kind="primary" isPending={recover.isRunning} onPress={() => goOn(chosen)}>
              {texts.use}
            </Button>
          )}
        </div>
      </div>
    </FirstScreen>
  );
}
