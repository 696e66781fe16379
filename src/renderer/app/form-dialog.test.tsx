import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { expect, it, vi } from 'vitest';
import { renderInApp, testService } from '../../../test-support/renderer/testing.tsx';
import { AppFailure } from '../../shared/app-failure.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { FormDialog } from './FormDialog.tsx';
import { useAct } from './use-act.ts';

const onPress = vi.fn<() => void>();

/** A conflict prompt opens over any open dialog. */
function Form() {
  const act = useAct();
  const [isCovered, setCovered] = useState(false);
  const later = () => setCovered(false);
  return (
    <>
      <FormDialog title="Form" place="" act={act} button={{ label: 'Do it', onPress }} onClose={later}>
        <button type="button" onClick={() => setCovered(true)}>
          Ask
        </button>
      </FormDialog>
      <Dialog isOpen={isCovered} title="Question" buttons={null} onClose={later}>
        <button type="button" onClick={later}>
          Later
        </button>
      </Dialog>
    </>
  );
}

it('does nothing at Ctrl+Enter while another dialog is over it', async () => {
  const { user } = renderInApp(<Form />);
  await user.click(await screen.findByRole('button', { name: 'Ask' }));
  const later = await screen.findByRole('button', { name: 'Later' });
  later.focus();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onPress).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Later' }));
  await user.click(await screen.findByRole('button', { name: 'Do it' }));
  onPress.mockClear();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(onPress).toHaveBeenCalledOnce();
});

function Named() {
  const act = useAct();
  return (
    <FormDialog
      title="Form"
      place={testService.name}
      act={act}
      button={{ label: 'Do it', onPress }}
      onClose={onPress}
    >
      Text
    </FormDialog>
  );
}

it('shows the state of the service in its head, in a word unless it is ready', async () => {
  let service = testService;
  const { main } = renderInApp(<Named />, {
    'services.list': () => ({ revision: 1, services: [service], activeId: service.id, favourites: {} }),
  });
  const head = (await screen.findByRole('heading', { name: 'Form' })).parentElement;
  await waitFor(() => expect(head?.querySelector('.service-dot--ready')).toBeTruthy());
  expect(head?.textContent).toBe(`Form${service.name}`);
  service = { ...service, connection: 'unreachable' };
  main.emit('services.changed', { revision: 2 });
  await waitFor(() => expect(head?.textContent).toBe(`Form${service.name}Unreachable`));
  expect(head?.querySelector('.service-dot--unreachable')).toBeTruthy();
});

function Stepped() {
  const act = useAct();
  const [step, setStep] = useState('first');
  const next = () => {
    setStep('second');
    // When its button is gone, not a frame later.
    queueMicrotask(() => focused.push(document.activeElement?.role ?? null));
  };
  return (
    <FormDialog
      title="Form"
      place=""
      act={act}
      button={{ key: step, label: step, onPress: () => flushSync(next) }}
      onClose={onPress}
    >
      Text
    </FormDialog>
  );
}
const focused: (string | null)[] = [];

it('keeps the focus when a step takes the place of another, so that Escape still closes it', async () => {
  const { user } = renderInApp(<Stepped />);
  await user.click(await screen.findByRole('button', { name: 'first' }));
  expect(focused).toEqual(['dialog']);
  onPress.mockClear();
  await user.keyboard('{Escape}');
  expect(onPress).toHaveBeenCalledOnce();
});

it('scrolls to the error when its action fails', async () => {
  const scrolled: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.textContent);
  });
  function Failing() {
    const act = useAct();
    const fail = () => void act.run(() => Promise.reject(new AppFailure({ code: 'notFound', what: 'team' })));
    return (
      <FormDialog
        title="Form"
        place=""
        act={act}
        button={{ label: 'Do it', onPress: fail }}
        onClose={() => undefined}
      >
        <p>Fields</p>
      </FormDialog>
    );
  }
  const { user } = renderInApp(<Failing />);
  await user.click(await screen.findByRole('button', { name: 'Do it' }));
  const { what } = errorText({ code: 'notFound', what: 'team' });
  await waitFor(() => expect(scrolled.at(-1)).toContain(what));
});
