import type { ReactNode } from 'react';
import { appTexts } from '../i18n/app-texts.ts';
import { Button } from '../ui/Button.tsx';
import { AlertDialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { focusHere } from '../ui/focus.ts';
import { useClient } from './client.ts';
import { sayFailure } from './say-failure.ts';
import './pane.css';
import { commonTexts } from '../i18n/common-texts.ts';
import { settingsTexts } from '../i18n/settings-texts.ts';

const texts = appTexts.pane;

type Props = {
  name: Exclude<keyof typeof texts.titles, 'dialog'>;
  /** What the pane shows: when it changes after a failure, rendering is retried. */
  of?: unknown;
  children: ReactNode;
};

/** A part of the window. If it fails to render, an error is shown in its place, and the rest keeps working. */
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
                  {commonTexts.tryAgain}
                </Button>
                <Button onPress={showLog}>{settingsTexts.log}</Button>
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

/** A one-line part of the window: its error has room for a short text and one button. */
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
                {commonTexts.tryAgain}
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

/** A dialog: if it fails to render, it can be closed. */
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
                  {settingsTexts.log}
                </Button>
                <Button kind="primary" size="large" {...focusHere} onPress={close}>
                  {commonTexts.close}
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

/** The log gets the error's type and location only: its message may contain what was being shown. */
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
      // If the log cannot be written either, nothing is left to try.
      client.call('app.paneFailed', { pane, error: name.slice(0, 100), frames }).catch(() => undefined);
    },
    showLog: () => sayFailure(client.call('app.open', { what: 'log' })),
  };
}
