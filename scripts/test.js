/* npm test: everything; on Linux under a private keyring and a virtual display. Ends with the line `N passed, N failed`. */
import { install, installModules, isLinux } from './setup.js';
import { become, environment, findNode } from './tools.js';

if (!installModules() || !install('chromium', 'display', 'keyring', 'keychain')) process.exitCode = 1;
else {
  const own = isLinux ? ['scripts/with-keyring.sh', 'scripts/with-display.sh'] : [];
  become([...own, findNode(), 'scripts/test-all.js'], environment(), 'ignore');
}
