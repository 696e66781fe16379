import { useRef, useState } from 'react';
import { chooseLanguage, languageNames, languages } from '../../../shared/i18n/language.ts';
import { Select } from '../../ui/Select.tsx';
import type { Settings } from '../../../shared/domain/settings.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { usePlace } from '../../app/place.ts';
import { Slot, useFacts } from '../../app/slots.tsx';
import { useRemoteStore, useSettings, useStores } from '../../app/stores.ts';
import { Topbar } from '../../app/Topbar.tsx';
import { useAct } from '../../app/use-act.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Segmented } from '../../ui/Choice.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SearchField } from '../../ui/Field.tsx';
import { State } from '../../ui/State.tsx';
import { AdvancedSection } from './AdvancedSection.tsx';
import { CatalogueSection } from './CatalogueSection.tsx';
import { BackgroundSection } from './BackgroundSection.tsx';
import { ReplacedSection } from './ReplacedSection.tsx';
import { LeftPartsSection } from './LeftPartsSection.tsx';
import { Section } from './Section.tsx';
import { ServicesSection } from './ServicesSection.tsx';
import { TransfersSection, UploadsSection } from './TransfersSection.tsx';
import './settings.css';

/** The settings page: names on the left, controls on the right, applied at once. */
export function SettingsView() {
  const client = useClient();
  const settings = useSettings();
  const info = useRemoteStore(useStores().info).value;
  const [search, setSearch] = useState('');
  const isSought = usePlace(({ setting }) => setting !== null);
  // The requested setting must be visible, whatever the search was.
  if (isSought && search !== '') setSearch('');
  const searchBox = useRef<HTMLDivElement>(null);
  const act = useAct();
  useCommand('search', () => searchBox.current?.querySelector('input')?.focus());
  const update = (change: Partial<Settings>) =>
    void act.run(async () => void (await client.call('settings.update', change)));
  const aboutLinks = useFacts('aboutLink');
  const aboutSettings = useFacts('aboutSetting', settings, update);
  const open = (what: 'log' | 'licences') => void act.run(() => client.call('app.open', { what }));
  return (
    <>
      <Topbar title={texts.title}>
        <div ref={searchBox}>
          <SearchField label={texts.search} keys="/" value={search} onChange={setSearch} />
        </div>
      </Topbar>
      <div className="settings">
        {act.error !== null && <ErrorNote {...errorText(act.error)} />}
        <Section
          title={texts.appearance}
          search={search}
          settings={[
            {
              name: texts.language,
              // So that people who cannot read the current language find theirs.
              words: `Language Sprache ${Object.values(languageNames).join(' ')}`,
              control: (
                <Select
                  label={texts.language}
                  labelPlace="hidden"
                  size="regular"
                  value={settings.language}
                  options={[
                    { value: 'system', label: systemLabel(info?.systemLanguages ?? []) },
                    ...languages.map((value) => ({ value, label: languageNames[value] })),
                  ]}
                  onChange={(language) => update({ language })}
                />
              ),
            },
            {
              name: texts.theme,
              control: (
                <Segmented
                  label={texts.theme}
                  value={settings.theme}
                  choices={choicesOf(texts.themes)}
                  onChange={(theme) => update({ theme })}
                />
              ),
            },
            {
              name: texts.rows,
              control: (
                <Segmented
                  label={texts.rows}
                  value={settings.density}
                  choices={choicesOf(texts.densities)}
                  onChange={(density) => update({ density })}
                />
              ),
            },
          ]}
        />
        <UploadsSection search={search} settings={settings} onChange={update} />
        <TransfersSection search={search} settings={settings} onChange={update} />
        <BackgroundSection search={search} settings={settings} onChange={update} />
        <ReplacedSection search={search} settings={settings} onChange={update} />
        <ServicesSection search={search} />
        <Slot name="settingsOfServices" search={search} />
        <LeftPartsSection search={search} />
        {info !== null && (
          <Section
            title={texts.security}
            search={search}
            settings={[
              {
                name: texts.keychain,
                ...(!info.keychain.usable && { hint: texts.keychainNotHint }),
                control: info.keychain.usable ? (
                  <State icon="check" tone="stored">
                    {texts.keychainUsable({ count: info.keychain.tokens })}
                  </State>
                ) : (
                  <State icon="warn" tone="wait">
                    {texts.keychainNot}
                  </State>
                ),
              },
            ]}
          />
        )}
        <Slot name="settingsOfPrograms" search={search} />
        <CatalogueSection search={search} />
        <AdvancedSection search={search} settings={settings} onChange={update} />
        {info !== null && (
          <Section
            title={texts.about}
            search={search}
            settings={[
              {
                name: texts.version({ version: info.version }),
                words: [texts.licences, texts.log, ...aboutLinks.map(({ label }) => label)].join(' '),
                control: (
                  <>
                    <Button kind="link" onPress={() => open('licences')}>
                      {texts.licences}
                    </Button>
                    <Button kind="link" onPress={() => open('log')}>
                      {texts.log}
                    </Button>
                    {aboutLinks.map(({ label, run }) => (
                      <Button key={label} kind="link" onPress={run}>
                        {label}
                      </Button>
                    ))}
                  </>
                ),
              },
              ...aboutSettings,
            ]}
          />
        )}
        <div className="settings__none">
          <p>{texts.nothing}</p>
          <p>{texts.nothingText}</p>
        </div>
      </div>
    </>
  );
}

/** `System (Deutsch)`. */
function systemLabel(systemLanguages: readonly string[]): string {
  const { language } = chooseLanguage('system', systemLanguages);
  return texts.languageSystem({ name: languageNames[language] });
}

function choicesOf<V extends string>(labels: Record<V, string>): { value: V; label: string }[] {
  return (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }));
}
