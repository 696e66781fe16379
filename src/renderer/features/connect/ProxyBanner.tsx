import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import type { AppErrorOf } from '../../../shared/errors.ts';
import { useServices, useTransferSummary } from '../../app/stores.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { proxyName } from '../../../shared/i18n/way-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ProxyDialog } from './ProxyDialog.tsx';
import { asksForPassword } from '../../app/proxy-password.ts';
import { useTokenNeeded } from './token-refused.ts';
import './token-banner.css';

const texts = appTexts.proxy;

/** A proxy's password is needed. A missing token takes precedence: there is only one banner. */
export function ProxyBanner() {
  const { services, active } = useServices();
  const tokenNeeded = useTokenNeeded();
  const waiting = useTransferSummary()?.transfers.counts.waiting ?? 0;
  const [entering, setEntering] = useState<string | null>(null);
  const [asked] = [active, ...services].flatMap((service) => {
    const trouble = service?.trouble ?? null;
    return service !== null && asksForPassword(trouble) ? [{ ...trouble, service }] : [];
  });
  return (
    <>
      {tokenNeeded === null && asked !== undefined && (
        <section className="banner" role="alert">
          <Icon name="key" />
          <div className="banner__text">
            <p className="banner__title">{titleOf(asked, asked.service.id === active?.id)}</p>
            <p className="banner__sub figures">{texts.waiting({ count: waiting })}</p>
          </div>
          <Button kind="primary" onPress={() => setEntering(asked.proxy)}>
            {texts.enter}
          </Button>
        </section>
      )}
      {entering !== null && <ProxyDialog proxy={entering} onClose={() => setEntering(null)} />}
    </>
  );
}

type Asked = AppErrorOf<'proxyFailed'> & { service: Service };

function titleOf({ proxy: origin, reason, service: { name } }: Asked, isActive: boolean): string {
  const proxy = proxyName(origin);
  const isRefused = reason === 'passwordRefused';
  if (isActive) return (isRefused ? texts.refused : texts.missing)({ proxy });
  return (isRefused ? texts.refusedOf : texts.missingOf)({ proxy, name });
}
