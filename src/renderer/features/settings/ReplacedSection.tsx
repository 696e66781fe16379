import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { formatSize } from '../../../shared/i18n/format.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { useClient, type Client } from '../../app/client.ts';
import { useUndoCopies } from '../../app/use-replaced-versions.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { readWhole } from './setting-values.ts';
import { SettingField } from './SettingField.tsx';
import { useUnknownFiles } from './use-unknown-files.tsx';
import { commonTexts } from '../../i18n/common-texts.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const texts = settingsTexts.undoCopies;
const gigabyte = 1_000_000_000;
const days = boundsOf(settingsSchema.shape.keepReplacedDays);
const gigabytes = boundsOf(settingsSchema.shape.keepReplacedBytes, gigabyte);

const askSummary = (client: Client) => client.call('undo.summary');

/** Undo copies on this computer: how long and how much to keep, and current usage. */
export function ReplacedSection({ search, settings, onChange }: SettingsSectionProps) {
  const { keepReplacedDays, keepReplacedBytes } = settings;
  const summary = useUndoCopies(askSummary);
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const unknown = useUnknownFiles();
  return (
    <>
      <Section
        title={texts.title}
        search={search}
        settings={[
          {
            name: fieldTexts.keepFor,
            hint: texts.daysHint,
            control: (
              <SettingField
                label={fieldTexts.keepFor}
                value={keepReplacedDays}
                figure={String(keepReplacedDays)}
                read={(text) => readWhole(text, days)}
                onChange={(value) => onChange({ keepReplacedDays: value })}
                unit={() => <span className="field__unit">{texts.daysUnit}</span>}
              />
            ),
          },
          {
            name: fieldTexts.keepAtMost,
            hint: texts.maxHint,
            control: (
              <SettingField
                label={fieldTexts.keepAtMost}
                value={keepReplacedBytes}
                figure={String(keepReplacedBytes / gigabyte)}
                read={(text) => {
                  const read = readWhole(text, gigabytes);
                  return 'value' in read ? { value: read.value * gigabyte } : read;
                }}
                onChange={(value) => onChange({ keepReplacedBytes: value })}
                unit={() => <span className="field__unit">{texts.maxUnit}</span>}
              />
            ),
          },
          {
            name: texts.now,
            hint:
              summary === null || summary.count === 0
                ? texts.nothing
                : texts.nowHint({ count: summary.count, size: formatSize(summary.bytes) }),
            control: (
              <Button
                kind="line"
                isDisabled={summary === null || summary.clearableCount === 0}
                onPress={() => setAsking(true)}
              >
                {texts.clear}
              </Button>
            ),
          },
          ...unknown.settings,
        ]}
      />
      {unknown.question}
      {isAsking && summary !== null && <ClearQuestion summary={summary} onClose={close} />}
    </>
  );
}

type Summary = Output<'undo.summary'>;

function ClearQuestion({ summary, onClose }: { summary: Summary; onClose: () => void }) {
  const client = useClient();
  const { clearableCount: count, clearableBytes } = summary;
  return (
    <ConfirmDialog
      title={texts.clearTitle({ count })}
      button={commonTexts.remove}
      run={() => client.call('undo.clear')}
      onClose={onClose}
    >
      <div className="paragraphs">
        <p>{texts.clearText({ size: formatSize(clearableBytes) })}</p>
      </div>
    </ConfirmDialog>
  );
}
