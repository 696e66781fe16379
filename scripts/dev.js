/* npm run dev: with live reload. Except on Windows, electron-vite runs open.js in Electron's place. */
import { join } from 'node:path';
import { become, commandOf, environment, root } from './tools.js';

const opener = process.platform === 'win32' ? {} : { ELECTRON_EXEC_PATH: join(root, 'scripts', 'open.js') };
become([...commandOf('electron-vite'), 'dev', ...process.argv.slice(2)], environment(opener));
