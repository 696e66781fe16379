import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appId, productName, toastActivatorClsid } from '../identity.ts';

const manifest: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
);

// app.setDesktopName: "the app's identity […] should be a reverse-DNS style ID"; Electron reads both from package.json.
test('package.json names the product and its desktop file as the code does', () => {
  expect(manifest).toMatchObject({ productName, desktopName: `${appId}.desktop` });
  expect(appId).toMatch(/^[a-z]+(\.[A-Za-z]+){2,}$/);
});

// So Electron rewrites the shortcut (lifecycle.ts). If the installer ever sets a class, it must be this one.
test('the installer gives its shortcut the identifier, and no class of notifications', () => {
  const template = 'node_modules/app-builder-lib/templates/nsis/include/installer.nsh';
  const installer = readFileSync(join(import.meta.dirname, '../../..', template), 'utf8');
  expect(installer).toContain('WinShell::SetLnkAUMI "$newStartMenuLink" "${APP_ID}"');
  expect(installer).not.toMatch(/ToastActivator|CLSID/i);
});

// app.setToastActivatorCLSID throws otherwise.
test('the class of notifications is a GUID in braces', () => {
  expect(toastActivatorClsid).toMatch(/^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/);
});
