#!/usr/bin/env node
/*
 * open.js [.] [ARG...]: opens the build, in Electron if its binary is there, else in Chromium through the stand-in.
 * COFFER_SHELL=electron or =chromium overrides that. electron-vite calls it as if it were Electron, hence the dot.
 */
import { join } from 'node:path';
import { findElectron, hasDisplay } from './setup.js';
import { become, findNode, root } from './tools.js';

const args = process.argv.slice(process.argv[2] === '.' ? 3 : 2);
const display = hasDisplay() ? [] : [join(root, 'scripts', 'with-display.sh')];
if (!hasDisplay()) console.error('There is no display here: the window opens on a virtual one (Xvfb).');
const electron = (process.env['COFFER_SHELL'] ?? 'electron') === 'electron' ? findElectron() : null;
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const standIn = ['--disable-warning=ExperimentalWarning', '--import', './chromium-shell/register.ts'];
become(
  electron
    ? [...display, electron, '.', ...sandbox, ...args]
    : [...display, findNode(), ...standIn, 'out/main/index.js', ...args],
);
