import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import configuration from '../electron-builder.config.ts';
import { linkScheme } from '../src/main/object-link.ts';

const include = String(configuration.nsis?.include);
const script = readFileSync(join(import.meta.dirname, '..', include), 'utf8');

test('the Windows uninstaller takes away the links that this program has registered, not at an update', () => {
  expect(script).toContain('!macro customUnInstall');
  expect(script).toContain('${ifNot} ${isUpdated}');
  const key = `HKCU "Software\\Classes\\${linkScheme}`;
  expect(script).toContain(`ReadRegStr $R0 ${key}\\shell\\open\\command" ""`);
  // What Electron's setAsDefaultProtocolClient writes for the argument `--` (GetProtocolLaunchPath in browser_win.cc).
  expect(script).toContain(`$R0 == '"$INSTDIR\\\${APP_EXECUTABLE_FILENAME}" -- "%1"'`);
  expect(script).toContain(`DeleteRegKey ${key}"`);
});
