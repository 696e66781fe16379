import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { useActiveService, useServices, useTransferSummary } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { errorLine, errorText } from '../../../shared/i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { countWaiting, useTokenNeeded } from './token-refused.ts';
import './token-banner.css';
import { commonTexts } from '../../i18n/common-texts.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { ServicePlace } from '../../app/ServicePlace.tsx';

const texts = appTexts.token;

/** A token is needed: everything waits, and nothing has failed. */
export function TokenBanner() {
  const service = useTokenNeeded();
  const active = useActiveService();
  const { services } = useServices();
  const summary = useTransferSummary();
  const [isEntering, setEntering] = useState(false);
  if (service === null) return null;
  const waiting = countWaiting(summary, service.id, services.length === 1);
  const { connection, trouble, name } = service;
  const keychain = connection === 'tokenMissing' && trouble?.code === 'keychain' ? trouble : null;
  const what = keychain ? 'unread' : connection === 'tokenMissing' ? 'missing' : 'refused';
  const title = service.id === active?.id ? texts[what] : texts[`${what}Of`]({ name });
  const next =
    keychain === null
      ? texts.waiting({ count: waiting })
      : keychain.problem === 'timeout'
        ? texts.late
        : errorLine(keychain);
  return (
    <section className="banner" role="alert">
      <Icon name="key" />
      <div className="banner__text">
        <p className="banner__title">{title}</p>
        <p className="banner__sub figures">{next}</p>
      </div>
      <Button kind="primary" onPress={() => setEntering(true)}>
        {texts.enter}
      </Button>
      {isEntering && <TokenDialog service={service} onClose={() => setEntering(false)} />}
    </section>
  );
}

function TokenDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const [token, setToken] = useState('');
  const [isRefused, setRefused] = useState(false);
  const set = useAct();
  const use = async () => {
    setRefused(false);
    await set.run(async () => {
      const { connection } = await client.call('services.setToken', { id: service.id, token });
      if (connection === 'tokenRefused') {
        setRefused(true);
        return;
      }
      announce(texts.accepted);
      onClose();
    });
  };
  const problem = isRefused ? texts.refusedAgain : set.error === null ? undefined : errorText(set.error).what;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.enter}
      place={<ServicePlace name={service.name} />}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={token === ''}
            isPending={set.isRunning}
            onPress={() => void use()}
          >
            {texts.use}
          </Button>
        </>
      }
    >
      <PasswordField
        label={fieldTexts.token}
        value={token}
        onChange={setToken}
        maxLength={16_384}
        problem={problem}
        eye={connectTexts.tokenEye}
        {...focusHere}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && token !== '') void use();
          // Escape closes the dialog.
          else event.continuePropagation();
        }}
      />
    </Dialog>
  );
}
