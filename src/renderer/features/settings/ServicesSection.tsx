import { showConnect, showRemove } from '../../app/place.ts';
import { useProfiles } from '../../app/stores.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from './Section.tsx';

/** Every service that is set up, and the way to another. */
export function ServicesSection({ search }: { search: string }) {
  const { profiles } = useProfiles();
  return (
    <>
      <Section
        title={texts.services}
        search={search}
        settings={[
          ...profiles.map((profile) => ({
            name: profile.name,
            hint: `${appTexts.connection[profile.connection]}, ${profile.baseAddress}`,
            control: (
              <>
                <Button
                  kind="line"
                  onPress={() => showConnect(profile.id)}
                  aria-label={texts.editName(profile.name)}
                >
                  {texts.edit}
                </Button>
                <Button
                  kind="bad"
                  onPress={() => showRemove(profile.id)}
                  aria-label={texts.removeName(profile.name)}
                >
                  {texts.remove}
                </Button>
              </>
            ),
          })),
          {
            name: '',
            words: texts.addService,
            control: (
              <Button kind="line" onPress={() => showConnect(null)}>
                {texts.addService}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}
