import { useState } from 'react';
import type { TeamShares } from '../../../shared/domain/team.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { curateTexts } from './curate-texts.ts';
import { Switch } from '../../ui/Choice.tsx';
import type { PartProps } from './use-curation.ts';

const texts = curateTexts.share;

type Shared = keyof TeamShares;
const all: readonly Shared[] = ['notes', 'fileNames', 'secrets'];

/** The optional parts of what the list shares. Switching one off asks first, because it deletes them on the server. */
export function Sharing({ service, curation, change, refresh }: PartProps) {
  const client = useClient();
  const [taken, setTaken] = useState<Shared | null>(null);
  const { shares, holds } = curation.list;
  const share = (what: Shared, isShared: boolean) =>
    client.call('team.setList', { serviceId: service.id, shares: { [what]: isShared } });
  const ask = (what: Shared) => {
    setTaken(what);
    // The question says how much will be deleted, and others may have written since this dialog was opened.
    void refresh();
  };
  return (
    <>
      <ul className="team-rows" aria-label={curateTexts.sharing}>
        {all.map((what) => (
          <li key={what} className="team-row">
            <div className="team-row__words">
              <p className="team-row__name">{texts[what]}</p>
              <p className="team-row__facts">{texts.text[what]}</p>
            </div>
            <Switch
              label={texts[what]}
              isSelected={shares[what]}
              onChange={(isShared) => (isShared ? void change(() => share(what, true)) : ask(what))}
            />
          </li>
        ))}
      </ul>
      <p className="team-manage__say">{texts.always}</p>
      {taken !== null && (
        <ConfirmDialog
          title={texts.takeBack[taken]}
          button={texts.takeBackButton}
          run={async () => {
            try {
              await share(taken, false);
            } finally {
              await refresh();
            }
          }}
          onClose={() => setTaken(null)}
        >
          <p>{texts.takeBackText[taken]({ count: holds[taken] })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
