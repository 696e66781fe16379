import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ConnectionReport, ObjectTrial } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { type AppError } from '../../../shared/errors.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testInfo,
  testService,
} from '../../../../test-support/renderer/testing.tsx';
import { ConnectScreen } from './ConnectScreen.tsx';

const order = ['address', 'proxy', 'reach', 'certificate', 'token', 'service'] as const;

function reportOf(failing: (typeof order)[number] | null, error: AppError | null = null): ConnectionReport {
  const at = failing === null ? order.length : order.indexOf(failing);
  return {
    host: 'objects.meridian.example',
    proxy: error?.code === 'proxyFailed' ? error.proxy : null,
    ok: failing === null,
    steps: order.map((step, index) => ({
      step,
      result: index < at ? 'passed' : index === at ? 'failed' : 'notTried',
      elapsedMs: step === 'reach' ? 18 : null,
      error: index === at ? error : null,
    })),
  };
}

const untrusted: AppError = {
  code: 'certificateNotTrusted',
  host: 'objects.meridian.example',
  reason: 'unknownAuthority',
  issuer: 'Meridian Internal CA 2',
  subject: 'objects.meridian.example',
  validUntil: '2027-03-03T00:00:00Z',
  fingerprint: '7D:41:C0:E9:B2:5F:8A:36',
};

function open(answers: Answers, service: Service | null = null) {
  const onClose = vi.fn<() => void>();
  const shown = renderInApp(<ConnectScreen service={service} onClose={onClose} />, answers);
  const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
  /** Pastes rather than types or clicks: every keystroke and each event of the pointer re-renders the form. */
  const write = async (field: HTMLElement, text: string) => {
    act(() => field.focus());
    await shown.user.paste(text);
  };
  const fill = async () => {
    await write(textbox('Name'), 'Meridian');
    await write(textbox('Base address'), 'https://objects.meridian.example');
    await write(textbox('Access token'), 'secret');
  };
  const inputsOf = (name: string) =>
    shown.main.calls.filter((call) => call.name === name).map(({ input }) => input);
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
  return { ...shown, onClose, textbox, write, fill, inputsOf, button };
}

describe('connection form', () => {
  it('closes with the second Escape, and asks when something was entered', async () => {
    const { user, onClose } = open({});
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
    await user.type(name, 'Mer{Escape}');
    expect(document.activeElement).not.toBe(name);
    await user.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(name.value).toBe('Mer');
    await user.clear(name);
    await user.keyboard('{Escape}{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('tests, adds and shows the service', async () => {
    const { fill, inputsOf, user, button, textbox, onClose, container } = open({
      'services.test': () => reportOf(null),
      'services.add': () => testService,
      'services.activate': () => undefined,
    });
    expect(button('Connect').disabled).toBe(true);
    expect(screen.getByText('Enter an address and a token')).toBeTruthy();
    await fill();
    expect(textbox('Name').placeholder).toBe('objects.meridian.example');
    await expectAccessible(container);
    await user.click(button('Connect'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inputsOf('services.add')).toMatchObject([
      {
        token: 'secret',
        draft: { name: 'Meridian', separator: '/', classificationSource: { kind: 'none' } },
      },
    ]);
    expect(inputsOf('services.activate')).toEqual([{ id: 'p1' }]);
  });

  it('shows how versions will be named, and the problem of a mark', async () => {
    const { fill, inputsOf, user, button } = open({
      'services.test': () => reportOf(null),
      'services.add': () => testService,
      'services.activate': () => undefined,
    });
    await fill();
    await user.click(button('Optional'));
    const mark = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of versions' });
    expect(mark.value).toBe('@{number}');
    expect(screen.getByText('The second version of report.docx is report@2.docx.')).toBeTruthy();
    fireEvent.change(mark, { target: { value: ' v' } });
    expect(screen.getByText('Write {number} once, where the number of the version goes.')).toBeTruthy();
    fireEvent.change(mark, { target: { value: ' v{number}' } });
    expect(screen.getByText('The second version of report.docx is report v2.docx.')).toBeTruthy();
    await user.click(button('Connect'));
    await waitFor(() =>
      expect(inputsOf('services.add')).toMatchObject([{ draft: { versionMark: ' v{number}' } }]),
    );
  });

  it('says what is wrong with a separator, and does not trim it', async () => {
    const { user, button } = open({});
    await user.click(button('Optional'));
    const separator = screen.getByRole<HTMLInputElement>('textbox', { name: 'Folder separator' });
    await user.clear(separator);
    await user.paste('=>=>=>=>=>');
    expect(separator.value).toBe('=>=>=>=>=>');
    expect(screen.getByText(/^“Folder separator” can have up to 8 characters/)).toBeTruthy();
  });

  it('stops at an unknown certificate, and tests again with its authority', async () => {
    let isTrusted = false;
    const { fill, inputsOf, user, button, container } = open({
      'services.test': ({ draft }) => {
        isTrusted = draft.authority.kind === 'grant';
        return isTrusted ? reportOf(null) : reportOf('certificate', untrusted);
      },
      'files.chooseOne': () => ({ grant: 'g1', label: 'meridian-ca.pem' }),
    });
    await fill();
    await user.click(button('Test connection'));
    expect(await screen.findByText('Certificate not trusted')).toBeTruthy();
    expect(screen.getByText('Meridian Internal CA 2')).toBeTruthy();
    expect(screen.getByText('7d41c0e9 b25f8a36')).toBeTruthy();
    expect(screen.getAllByText('Not tried')).toHaveLength(2);
    expect(screen.getByText('The certificate must be trusted')).toBeTruthy();
    expect(button('Connect').disabled).toBe(true);
    await expectAccessible(container);
    await user.click(button('Trust this CA certificate file…'));
    expect(await screen.findByText('Certificates trusted')).toBeTruthy();
    expect(isTrusted).toBe(true);
    expect(inputsOf('services.test')).toHaveLength(2);
    expect(button('Connect').disabled).toBe(false);
  });

  it('lets a refused token be corrected', async () => {
    const { fill, inputsOf, user, button } = open({
      'services.test': () => reportOf('token', { code: 'tokenRefused', status: 401 }),
    });
    await fill();
    await user.click(button('Connect'));
    expect(await screen.findByText('Access token refused')).toBeTruthy();
    expect(inputsOf('services.add')).toEqual([]);
    expect(button('Connect').disabled).toBe(true);
    const steps = screen.getByRole('list', { name: 'Test connection' });
    expect(within(steps).getAllByRole('listitem')[0]?.textContent).toMatch(/^Access token refused/);
    const field = screen.getByRole('textbox', { name: 'Access token' });
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('The service refused this token.')).toBeTruthy();
    expect(steps.textContent).not.toContain('waiting');
    await user.type(field, '2');
    expect(screen.queryByText('The service refused this token.')).toBeNull();
    expect(screen.queryByText('Access token refused')).toBeNull();
    expect(button('Connect').disabled).toBe(false);
  });

  it('shows a token while it is typed, and a stored one never', async () => {
    const { user, button, unmount } = open({});
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Access token' });
    expect(button('Show the token').disabled).toBe(true);
    await user.click(field);
    await user.paste('secret');
    expect(field.type).toBe('password');
    await user.click(button('Show the token'));
    expect(field.type).toBe('text');
    await user.click(button('Hide the token'));
    expect(field.type).toBe('password');
    await user.click(button('Show the token'));
    await user.clear(field);
    expect(field.type).toBe('password');
    unmount();
    open({}, testService);
    expect(screen.queryByRole('button', { name: 'Show the token' })).toBeNull();
  });

  it('focuses the address for every error in it', async () => {
    let report = reportOf(null);
    const { fill, user, button, textbox, container } = open({ 'services.test': () => report });
    await fill();
    const address = textbox('Base address');
    for (const [step, error] of [
      ['address', { code: 'badAddress', problem: 'notUrl' }],
      ['reach', { code: 'unreachable', host: 'a', reason: 'dns' }],
      ['service', { code: 'unexpectedAnswer', status: 200, problem: 'a page' }],
    ] as const) {
      report = reportOf(step, error);
      await user.click(button('Test connection'));
      await waitFor(() => expect(document.activeElement).toBe(address));
      expect(address.getAttribute('aria-invalid')).toBe('true');
    }
    await expectAccessible(container);
  });

  it('expands the section with the invalid field, and keeps the focus if there is none', async () => {
    let report = reportOf('certificate', {
      code: 'clientCertificateRefused',
      reason: 'missing',
      host: 'objects.meridian.example',
    });
    const { fill, user, button } = open({ 'services.test': () => report });
    await fill();
    await user.click(button('Test connection'));
    await waitFor(() => expect(document.activeElement).toBe(button('Choose… Client certificate')));
    report = reportOf('service', { code: 'serverError', status: 500, retryAfterMs: null });
    await user.click(button('Test connection'));
    expect(await screen.findByText(/^Nothing is wrong on this computer/)).toBeTruthy();
    expect(screen.getByText('Try again in a moment.')).toBeTruthy();
    expect(screen.queryByText(/Coffer will try again/)).toBeNull();
    expect(document.activeElement).toBe(button('Test connection'));
  });

  it('opens at the field it is opened for, with a token to enter', async () => {
    const props = { service: testService, onClose: () => undefined };
    const { unmount } = renderInApp(<ConnectScreen {...props} field="token" />);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Access token' }));
    unmount();
    renderInApp(<ConnectScreen {...props} field="downloadFolder" />);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose… Download folder' }));
  });

  it('shows at the name that it is taken', async () => {
    const { fill, user, button } = open({
      'services.test': () => reportOf(null),
      'services.add': () => {
        throw new AppFailure({ code: 'nameTaken', name: 'Meridian' });
      },
    });
    await fill();
    await user.click(button('Connect'));
    expect(await screen.findByText('Another service is called Meridian.')).toBeTruthy();
  });

  it('shows the unknown placeholder of a template while typing, and the allowed ones', async () => {
    const { user, button, write } = open({});
    await user.click(button('Optional'));
    const template = screen.getByRole('textbox', { name: 'Identifier template' });
    await write(template, '{nope}');
    expect(template.getAttribute('aria-invalid')).toBe('true');
    expect(document.body.textContent?.replaceAll(/[\u2068\u2069]/g, '')).toContain('Unknown part {nope}.');
    await user.clear(template);
    await write(template, '{name}');
    expect(template.getAttribute('aria-invalid')).not.toBe('true');
  });

  it('sends what is set under Optional', async () => {
    const { fill, inputsOf, user, button, textbox, write } = open({ 'services.test': () => reportOf(null) });
    await fill();
    await user.click(button('Optional'));
    await user.click(screen.getByRole('radio', { name: 'List' }));
    await write(textbox('Classification list'), 'Public\nSecret\n');
    await write(textbox('Largest object'), '50 MB');
    await write(textbox('Largest secret'), '9000');
    await user.clear(textbox('Name'));
    await user.click(screen.getByRole('switch', { name: 'Allow an address without encryption' }));
    expect(textbox('Largest secret')).toHaveProperty('value', '9 KB');
    await user.click(button('Test connection'));
    await waitFor(() => expect(inputsOf('services.test')).toHaveLength(1));
    expect(inputsOf('services.test')[0]).toMatchObject({
      draft: {
        // Its host, as it has no name.
        name: 'objects.meridian.example',
        classificationSource: { kind: 'list', values: ['Public', 'Secret'] },
        maxObjectBytes: 50_000_000,
        maxSecretBytes: 9000,
        insecureAllowed: true,
      },
    });
  });

  it('says where the token is stored without a keychain', async () => {
    open({ 'app.info': () => ({ ...testInfo, keychain: { usable: false, error: null, tokens: 0 } }) });
    expect(await screen.findByText(/Kept until you quit Coffer, never written to disk/)).toBeTruthy();
  });

  it('edits a service and leaves its token alone, until it is replaced', async () => {
    const answers: Answers = {
      'services.test': () => reportOf(null),
      'services.update': () => testService,
    };
    const { inputsOf, user, button, onClose, textbox, write } = open(answers, testService);
    expect(screen.queryByRole('textbox', { name: 'Access token' })).toBeNull();
    await user.click(button('Save'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inputsOf('services.test')).toMatchObject([{ token: null, serviceId: 'p1' }]);
    expect(inputsOf('services.update')[0]).not.toHaveProperty('token');
    await user.click(button('Replace token'));
    await write(textbox('Access token'), 'new');
    await user.click(button('Save'));
    await waitFor(() => expect(inputsOf('services.update')[1]).toMatchObject({ id: 'p1', token: 'new' }));
    expect(inputsOf('services.setToken')).toEqual([]);
  });

  it('asks what becomes of transfers before the address changes', async () => {
    const { inputsOf, user, button, onClose, textbox, write } = open(
      {
        'services.test': () => reportOf(null),
        'services.update': ({ unfinished }) => {
          if (unfinished === 'ask') throw new AppFailure({ code: 'serviceBusy', count: 12 });
          return testService;
        },
      },
      testService,
    );
    const address = screen.getByRole('textbox', { name: 'Base address' });
    await user.clear(address);
    await write(address, 'https://other.example');
    await write(textbox('Access token'), 'new');
    await user.click(button('Save'));
    const dialog = await screen.findByRole('alertdialog', { name: /^12 transfers of .+ aren’t finished$/ });
    await expectAccessible(dialog);
    await user.click(button('Finish first'));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(inputsOf('services.update')).toHaveLength(1);
    expect(onClose).not.toHaveBeenCalled();
    await user.click(button('Save'));
    await user.click(await screen.findByRole('button', { name: 'Cancel 12 and change' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inputsOf('services.update').at(-1)).toMatchObject({
      id: 'p1',
      token: 'new',
      unfinished: 'cancel',
    });
  });

  it('asks for the token again when the address is that of another service', async () => {
    const { user, button, write } = open({}, testService);
    const address = screen.getByRole('textbox', { name: 'Base address' });
    await write(address, '/prefix');
    expect(screen.queryByRole('textbox', { name: 'Access token' })).toBeNull();
    await user.clear(address);
    await write(address, 'https://other.example');
    expect(screen.getByRole('textbox', { name: 'Access token' })).toBeTruthy();
    expect(button('Save').disabled).toBe(true);
  });
});

describe('previews and editing of a service', () => {
  const answers: Answers = {
    'objects.previewChoices': () => ({ automatic: ['Old', null] }),
    'objects.choosePreview': () => undefined,
    'edits.choices': () => ({ saveAs: 'newVersion', forbidden: ['Old'] }),
    'edits.setSaveAs': () => undefined,
    'edits.forbid': () => undefined,
    'classifications.list': () => ({
      values: [{ value: 'Internal', description: null }],
      recent: [],
      start: null,
      preferred: null,
      error: null,
    }),
  };
  const group = (name: string) => within(screen.getByRole('group', { name }));

  async function openChoices(more: Answers = {}) {
    const shown = open({ ...answers, ...more }, testService);
    await waitFor(() => expect(shown.main.answered).toContain('edits.choices'));
    await shown.user.click(await screen.findByRole('button', { name: 'Previews and editing' }));
    await screen.findByRole('group', { name: 'Not for editing' });
    return shown;
  }

  it('are stored with the form, without a connection', async () => {
    const { user, button, inputsOf, onClose, container } = await openChoices();
    const boxes = group('Always preview').getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked }) => checked)).toEqual([false, true, true]);
    await user.click(group('Always preview').getByRole('checkbox', { name: 'Old' }));
    await user.click(screen.getByRole('radio', { name: 'Replace' }));
    await user.click(group('Not for editing').getByRole('checkbox', { name: 'Internal' }));
    await user.click(group('Not for editing').getByRole('checkbox', { name: 'Old' }));
    await expectAccessible(container);
    expect(inputsOf('objects.choosePreview')).toEqual([]);
    await user.click(button('Save'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inputsOf('services.test')).toEqual([]);
    expect(inputsOf('services.update')).toEqual([]);
    expect(inputsOf('objects.choosePreview')).toEqual([
      { serviceId: 'p1', classification: 'Old', isAutomatic: false },
    ]);
    expect(inputsOf('edits.setSaveAs')).toEqual([{ serviceId: 'p1', saveAs: 'replace' }]);
    expect(inputsOf('edits.forbid')).toEqual([
      { serviceId: 'p1', classification: 'Old', isForbidden: false },
      { serviceId: 'p1', classification: 'Internal', isForbidden: true },
    ]);
  });

  it('are stored with changes of the connection, once that works', async () => {
    const { user, button, inputsOf, onClose, write, textbox } = await openChoices({
      'services.test': () => reportOf(null),
      'services.update': () => testService,
    });
    await write(textbox('Name'), ' 2');
    await user.click(group('Always preview').getByRole('checkbox', { name: 'Internal' }));
    await user.click(button('Save'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inputsOf('services.update')).toHaveLength(1);
    expect(inputsOf('objects.choosePreview')).toMatchObject([{ classification: 'Internal' }]);
  });

  it('are not discarded without a question, unless they are as before', async () => {
    const { user, button, inputsOf, onClose } = await openChoices();
    const internal = () => group('Always preview').getByRole('checkbox', { name: 'Internal' });
    await user.click(internal());
    await user.click(button('Back'));
    await user.click(button('Keep editing'));
    await user.click(internal());
    await user.click(button('Back'));
    expect(onClose).toHaveBeenCalledOnce();
    expect(inputsOf('objects.choosePreview')).toEqual([]);
  });
});

describe('a test that cannot detect a wrong path', () => {
  const unproven: ConnectionReport = {
    ...reportOf(null),
    steps: reportOf(null).steps.map((step) =>
      step.step === 'service' ? { ...step, isUnproven: true } : step,
    ),
  };
  const names = ['store', 'read', 'compare', 'delete'] as const;
  const trialOf = (
    results: readonly ObjectTrial['steps'][number]['result'][],
    error: AppError | null = null,
  ): ObjectTrial => ({
    identifier: 'coffer-connection-test-1.txt',
    steps: names.map((step, at) => {
      const result = results[at] ?? 'notTried';
      return { step, result, elapsedMs: 12, error: result === 'failed' ? error : null };
    }),
    isLeft: results[3] === 'failed',
  });
  const start = { name: 'Run a write test' };

  it('says so, and proves it with a small object', async () => {
    const { fill, inputsOf, user, button, container } = open({
      'services.test': () => unproven,
      'services.tryObject': () => trialOf(['passed', 'passed', 'passed', 'passed']),
    });
    await fill();
    await user.click(button('Test connection'));
    expect(await screen.findByText('Can’t confirm the path')).toBeTruthy();
    expect(screen.queryByText('Service answers as expected')).toBeNull();
    await expectAccessible(container);
    await user.click(screen.getByRole('button', start));
    const steps = await screen.findByRole('list', { name: 'Steps with the small object' });
    expect(
      within(steps)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Stored', 'Read', 'Same as stored', 'Deleted'].map((name) => `${name}12 ms`));
    expect(screen.getByText('Service answers as expected')).toBeTruthy();
    expect(screen.queryByText('Can’t confirm the path')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', start));
    expect(inputsOf('services.tryObject')).toEqual(inputsOf('services.test'));
    await expectAccessible(container);
  });

  it('does not connect to an address where nothing can be stored', async () => {
    const { fill, user, button, textbox, write } = open({
      'services.test': () => unproven,
      'services.tryObject': () =>
        trialOf(['failed'], { code: 'unexpectedAnswer', status: 404, problem: 'status 404 to POST' }),
    });
    await fill();
    await user.click(button('Test connection'));
    const tryIt = await screen.findByRole('button', start);
    expect(button('Connect').disabled).toBe(false);
    await user.click(tryIt);
    expect(await screen.findByText('Not stored')).toBeTruthy();
    expect(screen.getByText(/^The answer \(404\)/)).toBeTruthy();
    expect(screen.getByText('Can’t confirm the path')).toBeTruthy();
    expect(screen.getByText('Enter the address of the service')).toBeTruthy();
    expect(button('Connect').disabled).toBe(true);
    await write(textbox('Base address'), '/v2');
    expect(screen.queryByText('Not stored')).toBeNull();
    expect(button('Connect').disabled).toBe(false);
  });

  it('names the object left at the service, and what to do', async () => {
    const { fill, user, button, container } = open({
      'services.test': () => unproven,
      'services.tryObject': () =>
        trialOf(['passed', 'passed', 'passed', 'failed'], { code: 'forbidden', status: 403 }),
    });
    await fill();
    await user.click(button('Test connection'));
    await user.click(await screen.findByRole('button', start));
    expect(await screen.findByText('Not deleted')).toBeTruthy();
    expect(screen.getByText(/may still be stored at the service\. Delete it there:/)).toBeTruthy();
    expect(screen.getByText('coffer-connection-test-1.txt')).toBeTruthy();
    // The object was stored, but another step failed.
    expect(screen.getByText('Path confirmed')).toBeTruthy();
    expect(screen.queryByText('Service answers as expected')).toBeNull();
    expect(screen.getByRole('button', { name: 'Copy identifier' })).toBeTruthy();
    expect(button('Connect').disabled).toBe(false);
    await expectAccessible(container);
  });

  it('ignores results for an earlier form', async () => {
    let answer: (report: ConnectionReport) => void = () => undefined;
    const { fill, user, button, textbox, write } = open({
      'services.test': () => new Promise((resolve) => (answer = resolve)),
    });
    await fill();
    await user.click(button('Test connection'));
    await write(textbox('Base address'), '/v2');
    await act(async () => answer(unproven));
    expect(button('Test connection').disabled).toBe(false);
    expect(screen.queryByText('Can’t confirm the path')).toBeNull();
  });
});

describe('the connection to the service', () => {
  const asked: AppError = {
    code: 'proxyFailed',
    reason: 'passwordMissing',
    proxy: 'http://proxy.meridian.example:3128',
    answered: 407,
  };

  it('sends its own proxy, asks for its password, and tests again with it', async () => {
    let isSignedIn = false;
    const { fill, inputsOf, user, button, container, textbox, write } = open({
      'services.test': () => (isSignedIn ? reportOf(null) : reportOf('proxy', asked)),
      'proxies.signIn': ({ password }) => {
        isSignedIn = password === 'right';
        return { isRefused: !isSignedIn };
      },
    });
    await fill();
    await user.click(button('Optional'));
    const [proxies] = screen.getAllByRole('radiogroup', { name: 'Proxy' });
    await user.click(within(proxies as HTMLElement).getByRole('radio', { name: 'Own' }));
    expect(button('Test connection').disabled).toBe(true);
    await write(textbox('Proxy address'), 'proxy.meridian.example:3128');
    await user.click(button('Test connection'));

    expect(await screen.findByText('The proxy requires a password')).toBeTruthy();
    expect(screen.getByText(/^proxy.meridian.example:3128 answered 407/)).toBeTruthy();
    expect(screen.getByText('Enter the proxy password')).toBeTruthy();
    expect(screen.getAllByText('Not tried')).toHaveLength(4);
    expect(button('Connect').disabled).toBe(true);
    expect(inputsOf('services.test')).toMatchObject([
      { draft: { proxy: { kind: 'own', address: 'proxy.meridian.example:3128' } } },
    ]);
    await expectAccessible(container);

    await user.click(button('Enter name and password…'));
    const dialog = screen.getByRole('dialog', { name: 'Sign in to the proxy' });
    expect(document.activeElement).toBe(within(dialog).getByRole('textbox', { name: 'Name' }));
    expect(within(dialog).getByText(/proxy.meridian.example:3128 requires a name and password/)).toBeTruthy();
    await expectAccessible(dialog);
    await write(within(dialog).getByRole('textbox', { name: 'Name' }), 'a:b');
    expect(within(dialog).getByText('The name can’t contain a colon.')).toBeTruthy();
    expect(button('Sign in').disabled).toBe(true);
    await user.clear(within(dialog).getByRole('textbox', { name: 'Name' }));
    await write(within(dialog).getByRole('textbox', { name: 'Name' }), 'aino');
    await write(within(dialog).getByRole('textbox', { name: 'Password' }), 'wrong');
    await user.keyboard('{Enter}');
    expect(await within(dialog).findByText('The proxy refused this name and password.')).toBeTruthy();
    await user.clear(within(dialog).getByRole('textbox', { name: 'Password' }));
    await write(within(dialog).getByRole('textbox', { name: 'Password' }), 'right');
    await user.click(button('Sign in'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('Reachable')).toBeTruthy();
    expect(inputsOf('proxies.signIn')).toMatchObject([
      { origin: 'http://proxy.meridian.example:3128', user: 'aino', password: 'wrong' },
      { password: 'right' },
    ]);
    expect(button('Connect').disabled).toBe(false);
  });

  it('says what a proxy sees without https', async () => {
    const { user, button, write } = open({});
    await user.click(button('Optional'));
    const address = screen.getByRole('textbox', { name: 'Base address' });
    await write(address, 'https://a.example');
    const words = 'The address doesn’t use https: a proxy can read the token and all data.';
    expect(screen.queryByText(words)).toBeNull();
    await user.clear(address);
    await write(address, 'http://localhost:8080');
    expect(screen.queryByText(words)).toBeNull();
    await user.clear(address);
    await write(address, 'http://a.example');
    expect(screen.getByText(words)).toBeTruthy();
    const [proxies] = screen.getAllByRole('radiogroup', { name: 'Proxy' });
    await user.click(within(proxies as HTMLElement).getByRole('radio', { name: 'None' }));
    expect(screen.queryByText(words)).toBeNull();
  });

  it('sends a client certificate with its passphrase, and reports a wrong passphrase', async () => {
    const { fill, inputsOf, user, button, container, textbox, write } = open({
      'files.chooseOne': () => ({ grant: 'g1', label: 'aino-lehto.pfx' }),
      'services.test': ({ passphrase }) =>
        passphrase === 'right'
          ? reportOf(null)
          : reportOf('certificate', {
              code: 'badClientCertificate',
              problem: 'passphrase',
              fileName: 'aino-lehto.pfx',
            }),
      'services.add': () => testService,
      'services.activate': () => undefined,
    });
    await fill();
    await user.click(button('Optional'));
    expect(screen.queryByRole('textbox', { name: 'Passphrase' })).toBeNull();
    await user.click(button('Choose… Client certificate'));
    expect(await screen.findByText('aino-lehto.pfx')).toBeTruthy();
    await write(textbox('Passphrase'), 'wrong');
    await user.click(button('Test connection'));
    expect(await screen.findByText('The client certificate is locked')).toBeTruthy();
    expect(screen.getByText('Choose a client certificate')).toBeTruthy();
    expect(screen.getByText('This passphrase doesn’t open aino-lehto.pfx.')).toBeTruthy();
    expect(screen.getByText('This passphrase doesn’t open the file.')).toBeTruthy();
    await expectAccessible(container);
    await user.clear(screen.getByRole('textbox', { name: 'Passphrase' }));
    await write(textbox('Passphrase'), 'right');
    await user.click(button('Connect'));
    await waitFor(() => expect(inputsOf('services.add')).toHaveLength(1));
    expect(inputsOf('services.add')).toMatchObject([
      { passphrase: 'right', draft: { clientCertificate: { kind: 'grant', grant: 'g1' } } },
    ]);
  });

  it('keeps the proxy and the certificate of a service, without asking for the passphrase again', async () => {
    const { inputsOf, user, button } = open(
      { 'services.test': () => reportOf(null), 'services.update': () => testService },
      {
        ...testService,
        proxy: { kind: 'own', address: 'http://proxy.example:3128' },
        clientCertificate: { fileName: 'aino-lehto.pfx', passphraseStoredIn: 'keychain' },
      },
    );
    expect(screen.getByText('Unlocked. The passphrase is in the system keychain.')).toBeTruthy();
    await user.click(button('Save'));
    await waitFor(() => expect(inputsOf('services.update')).toHaveLength(1));
    expect(inputsOf('services.update')[0]).toEqual({
      id: 'p1',
      unfinished: 'ask',
      draft: expect.objectContaining({
        proxy: { kind: 'own', address: 'http://proxy.example:3128' },
        clientCertificate: { kind: 'keep' },
      }),
    });
  });

  it('a service on this computer has none', async () => {
    const { user, button } = open({}, { ...testService, isLocal: true });
    await user.click(button('Optional'));
    expect(screen.queryByRole('radiogroup', { name: 'Proxy' })).toBeNull();
    expect(screen.queryByText('Client certificate')).toBeNull();
  });
});
