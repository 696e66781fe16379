import { useState } from 'react';
import type { Profile } from '../../../shared/domain/profile.ts';
import { useProfiles, useTransferSummary } from '../../app/stores.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { proxyName } from '../../i18n/way-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ProxyDialog } from './ProxyDialog.tsx';
import { asksForPassword } from './proxy-password.ts';
import { useTokenNeeded } from './token-refused.ts';
import './token-banner.css';

const texts = appTexts.proxy;

/** Everything waits for the password of a proxy. A token that is missing goes first: there is one banner. */
export function ProxyBanner() {
  const { profiles, active } = useProfiles();
  const tokenNeeded = useTokenNeeded();
  const waiting = useTransferSummary()?.counts.waiting ?? 0;
  const [entering, setEntering] = useState<string | null>(null);
  const [asked] = [active, ...profiles].flatMap((profile) => {
    const trouble = profile?.trouble ?? null;
    return profile !== null && asksForPassword(trouble) ? [{ profile, ...trouble }] : [];
  });
  const dialog = entering !== null && <ProxyDialog proxy={entering} onClose={() => setEntering(null)} />;
  if (tokenNeeded !== null || !asked) return dialog;
  const { profile, proxy, reason } = asked;
  return (
    <section className="banner" role="alert">
      <Icon name="key" />
      <div className="banner__text">
        <p className="banner__title">
          {titleOf(proxyName(proxy), reason, profile, profile.id === active?.id)}
        </p>
        <p className="banner__sub figures">{texts.waiting(waiting)}</p>
      </div>
      <Button kind="primary" onPress={() => setEntering(proxy)}>
        {texts.enter}
      </Button>
      {dialog}
    </section>
  );
}

function titleOf(proxy: string, reason: string, { name }: Profile, isActive: boolean): string {
  if (isActive) return reason === 'passwordRefused' ? texts.refused(proxy) : texts.missing(proxy);
  return reason === 'passwordRefused' ? texts.refusedOf(proxy, name) : texts.missingOf(proxy, name);
}
