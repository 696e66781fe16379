import { useEffect } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { runCommand } from '../../app/commands.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { useWatchedFolders } from './use-watched-folders.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { watchTexts as texts } from './watch-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { keepFocus } from '../../ui/focus.ts';
import { WatchedItem } from './WatchedItem.tsx';
import './watch.css';

/** The watched folders of a service, with what each is doing. */
export function WatchView({ service }: { service: Service }) {
  const { value, error } = useWatchedFolders(service.id);
  const folders = value?.folders ?? [];
  // A removed folder may have had the focus.
  useEffect(keepFocus, [folders.length]);
  const add = (
    <Button kind="line" icon="plus" onPress={() => runCommand('watchFolder')}>
      {texts.add}
    </Button>
  );
  return (
    <>
      <Topbar title={appTexts.nav.watched} count={folders.length} />
      <div className="watches">
        {error !== null && <ErrorNote {...errorText(error)} />}
        {folders.length > 0 && (
          <>
            <ul className="watches__list" aria-label={appTexts.nav.watched}>
              {folders.map((folder) => (
                <WatchedItem key={folder.id} folder={folder} separator={service.separator} />
              ))}
            </ul>
            <div className="watches__add">
              {add}
              <p>{texts.addHint}</p>
            </div>
          </>
        )}
        {value !== null && folders.length === 0 && (
          <EmptyState title={texts.none} text={texts.noneText} buttons={add} />
        )}
      </div>
    </>
  );
}
