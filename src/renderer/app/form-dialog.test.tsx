import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../test-support/renderer/testing.tsx';
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
