import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messages } from '../src/shared/i18n/messages.ts';
import { readCatalogue } from './read-po.ts';

const root = join(import.meta.dirname, '..');

/** On Linux: the entry in the menu of programs, and the page in a software centre. Keywords are separated by semicolons. */
const texts = messages('desktop', {
  summary: 'Desktop client of an object and secret storage service',
  keywords: 'storage;objects;files;upload;download;secrets;passwords',
  about:
    'Upload and download files and folders, and find them in a list of up to a million objects, with previews and versions. Transfers survive a crash, a restart and an outage of the service.',
  secrets:
    'Store, generate and reveal secrets, and give them to programs when you approve. The command coffer does the same in scripts.',
});

/** Packages have one description, in English, in lines as terminals show them. */
export const { summary } = texts;
export const description = [texts.about, texts.secrets]
  .map((text) => text.replaceAll(/(.{1,76})(?: |$)/g, '$1\n').trimEnd())
  .join('\n\n');

/** Written by `npm run messages`. */
export const metainfo = join(root, 'packaging/linux/usr/share/metainfo/org.coffer.Coffer.metainfo.xml');

type Name = keyof typeof texts;

/** @returns a function that has a text's translations by language */
function readTranslations(): (name: Name) => (readonly [language: string, text: string])[] {
  const files = globSync('locales/*.po', { cwd: root }).sort();
  const catalogues = files.map((file) => {
    const catalogue = readCatalogue(readFileSync(join(root, file), 'utf8'));
    return [basename(file, '.po'), catalogue] as const;
  });
  return (name) =>
    catalogues.flatMap(([language, { [`desktop.${name}`]: text }]) =>
      text === undefined ? [] : [[language, text] as const],
    );
}

/** What electron-builder does not write into the desktop entry by itself. */
export function makeDesktopEntry(): Record<string, string> {
  const translationsOf = readTranslations();
  const keywords = translationsOf('keywords').map(([language, text]) => [
    `Keywords[${language}]`,
    `${text};`,
  ]);
  const comments = translationsOf('summary').map(([language, text]) => [`Comment[${language}]`, text]);
  return { Keywords: `${texts.keywords};`, ...Object.fromEntries([...keywords, ...comments]) };
}

/** The description for software centres: https://www.freedesktop.org/software/appstream/docs/. */
export function makeMetainfo(): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const translationsOf = readTranslations();
  const inAllLanguages = (tag: string, name: Name, indent: string) =>
    [
      `${indent}<${tag}>${escape(texts[name])}</${tag}>`,
      ...translationsOf(name).map(
        ([language, text]) => `${indent}<${tag} xml:lang="${language}">${escape(text)}</${tag}>`,
      ),
    ].join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- Made by \`npm run messages\`. -->
<component type="desktop-application">
  <id>org.coffer.Coffer</id>
  <name>Coffer</name>
${inAllLanguages('summary', 'summary', '  ')}
  <description>
${inAllLanguages('p', 'about', '    ')}
${inAllLanguages('p', 'secrets', '    ')}
  </description>
  <metadata_license>MIT</metadata_license>
  <project_license>MIT</project_license>
  <developer id="org.coffer">
    <name>The Coffer authors</name>
  </developer>
  <launchable type="desktop-id">org.coffer.Coffer.desktop</launchable>
  <categories>
    <category>Utility</category>
  </categories>
  <icon type="stock">coffer-desktop</icon>
  <provides>
    <binary>coffer-desktop</binary>
    <binary>coffer</binary>
  </provides>
  <content_rating type="oars-1.1" />
</component>
`;
}
