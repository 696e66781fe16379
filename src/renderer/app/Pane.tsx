import type { ReactNode } from 'react';
import { appTexts } from '../i18n/app-texts.ts';
import { Button } from '../ui/Button.tsx';
import { AlertDialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { focusHere } from '../ui/focus-here.ts';
import { useClient } from './client.ts';
import { sayFailure } from './say-failure.ts';
import './pane.css';

const texts = appTexts.pane;

type Props = {
  name: Exclude<keyof typeof texts.titles, 'dialog'>;
  /** What it shows: after a failure another one is tried by itself. */
  of?: unknown;
  children: ReactNode;
};

/** A part of the window. One that cannot be drawn says so in its place, and everything else goes on. */
export function Pane({ name, of, children }: Props) {
  const { tell, showLog } = useFailure(name);
  return (
    <ErrorBoundary
      of={of}
      onError={tell}
      fallback={(again) => (
        <div role="alert" className={`pane-failed pane-failed--${name}`}>
          <EmptyState
            icon="fail"
            title={texts.titles[name]}
            text={texts.text}
            buttons={
              <>
                <Button kind="line" onPress={again}>
                  {texts.again}
                </Button>
                <Button onPress={showLog}>{texts.log}</Button>
              </>
            }
          />
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

/** A line of the window: there is room for what happened and one button. */
export function LinePane({ name, children }: Omit<Props, 'of'>) {
  const { tell } = useFailure(name);
  return (
    <ErrorBoundary
      onError={tell}
      fallback={(again) => (
        <div role="alert" className="line-failed">
          <ErrorNote
            title={texts.titles[name]}
            button={
              <Button kind="line" size="small" onPress={again}>
                {texts.again}
              </Button>
            }
          />
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

/** What opens over the window: when it cannot be drawn, it can be closed. */
export function DialogPane({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { tell, showLog } = useFailure('dialog');
  return (
    <ErrorBoundary
      onError={tell}
      fallback={(again) => {
        const close = () => {
          onClose();
          again();
        };
        return (
          <AlertDialog
            isOpen
            onClose={close}
            title={texts.titles.dialog}
            buttons={
              <>
                <Button size="large" onPress={showLog}>
                  {texts.log}
                </Button>
                <Button kind="primary" size="large" {...focusHere} onPress={close}>
                  {texts.close}
                </Button>
              </>
            }
          >
            <p>{texts.text}</p>
          </AlertDialog>
        );
      }}
    >
      {children}
    </ErrorBoundary>
  );
}

/** The log gets the kind of the error and where in the code: its message may hold what was to be shown. */
function useFailure(pane: string) {
  const client = useClient();
  return {
    tell: (error: unknown) => {
      const { name, message, stack = '' } = error instanceof Error ? error : new Error();
      const frames = stack
        .replace(message, '')
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 10)
        .map((line) => line.trim().slice(0, 300));
      // When it cannot be written down either, there is nobody left to tell.
      client.call('app.paneFailed', { pane, error: name.slice(0, 100), frames }).catch(() => undefined);
    },
    showLog: () => sayFailure(client.call('app.open', { what: 'log' })),
  };
}
