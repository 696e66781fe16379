import { showSettings } from '../../../app/place.ts';
import { useLeftParts } from '../../../app/use-left-parts.ts';
import { partTexts as texts } from '../../../i18n/detail-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';

/** Says that parts are left at the service, with a link to the settings that remove them. */
export function LeftParts({ serviceId }: { serviceId: string }) {
  const [first, ...others] = useLeftParts(serviceId);
  if (first === undefined) return null;
  const count = others.reduce((sum, { parts }) => sum + parts, first.parts);
  return (
    <div className="objects-notice">
      <Icon name="warn" />
      <span>{texts.left({ count })}</span>
      <Button kind="line" size="small" onPress={() => showSettings(first.identifier)}>
        {texts.showLeft}
      </Button>
    </div>
  );
}
