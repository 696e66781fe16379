import { useEffect, useState } from 'react';
import { appTexts } from '../i18n/app-texts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useClient } from './client.ts';

const texts = appTexts.opening;

/** Show no message for shorter waits, in ms. */
const quietMs = 1000;

/** Shown while the catalogue is being opened; after a moment it says what Coffer waits for. */
export function Opening() {
  const client = useClient();
  const [isLate, setLate] = useState(false);
  const [waitsForCommand, setWaitsForCommand] = useState(false);
  useEffect(() => {
    let live = true;
    const load = () =>
      void client.call('app.opening').then(
        (opening) => live && setWaitsForCommand(opening.waitsForCommand),
        // Another screen shows the error.
        () => undefined,
      );
    const stop = client.on('app.changed', load);
    const timer = setTimeout(() => setLate(true), quietMs);
    load();
    return () => {
      live = false;
      stop();
      clearTimeout(timer);
    };
  }, [client]);
  return (
    <main className="failed">
      <div aria-live="polite">
        {isLate &&
          (waitsForCommand ? (
            <EmptyState symbol="clock" title={texts.titleCommand} text={texts.textCommand} />
          ) : (
            <EmptyState symbol="clock" title={texts.title} />
          ))}
      </div>
    </main>
  );
}
