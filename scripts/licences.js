/* Writes licences.txt: Coffer's own licence and those of its packages. Run `npm run licences` after the packages change. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
// Coffer contains no optional packages: PDF.js needs its drawing module in Node only.
const folders = Object.keys(packages).filter(
  (folder) => folder !== '' && !packages[folder].dev && !packages[folder].optional && existsSync(folder),
);

const parts = folders.sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // The fonts and decoders of PDF.js have licences of their own.
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(^|[\\/])licen[cs]e[^\\/]*$/i.test(path) && !/node_modules/.test(path),
  );
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n') || `Licence: ${license}`}\n`;
});
// The package of the word list has only its own licence.
const words = `EFF's large word list for passphrases, by the Electronic Frontier Foundation (CC-BY-3.0-US)

https://www.eff.org/deeplinks/2016/07/new-wordlists-random-passphrases
Licence: Creative Commons Attribution 3.0 United States, https://creativecommons.org/licenses/by/3.0/us/
Changed: the four words with a hyphen are left out.
`;
const own = `Coffer (MIT)\n\n${readFileSync('LICENSE', 'utf8')}`;
writeFileSync('licences.txt', [own, ...parts, words].join(`\n${'-'.repeat(72)}\n\n`));
