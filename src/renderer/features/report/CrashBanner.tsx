import { formatMoment } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { runCommand } from '../../app/commands.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { reportTexts } from '../../i18n/report-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import './report.css';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = reportTexts.crash;

/** Offers a report after a crash, until one is saved or the person dismisses it. */
export function CrashBanner() {
  const client = useClient();
  const crash = useRemoteStore(useStores().info).value?.crash ?? null;
  const now = useNow(crash === null ? null : 60_000);
  if (crash === null) return null;
  return (
    <section className="banner banner--crash" aria-label={texts[crash.what]}>
      <Icon name="warn" />
      <div className="banner__text">
        <p className="banner__title">{texts[crash.what]}</p>
        <p className="banner__sub figures">{texts.text({ when: formatMoment(crash.atMs, now) })}</p>
      </div>
      <Button onPress={() => sayFailure(client.call('app.dismissCrash'))}>{commonTexts.dismiss}</Button>
      <Button kind="line" onPress={() => void runCommand('report')}>
        {texts.show}
      </Button>
    </section>
  );
}
