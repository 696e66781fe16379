import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
// First, so that what a component says of itself stands above it.
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import type { Bridge } from '../shared/bridge.ts';
import { addCatalogues } from '../shared/i18n/catalogues.ts';
import { chooseLanguage, setLanguage } from '../shared/i18n/language.ts';
import { App } from './shell/App.tsx';
import { createClient } from './app/client.ts';
// Last: it takes the place of what components say.
import './ui/forced-colors.css';

declare global {
  interface Window {
    /** Put there by the preload script. */
    coffer: Bridge<File>;
  }
}

// zod would compile its checks with `new Function`, which the content security policy forbids.
z.config({ jitless: true });

addCatalogues();
// Until main has told of the system's languages.
setLanguage(chooseLanguage('system', navigator.languages));

// Without waiting for the first text that needs it; when it cannot be had, the system's face serves.
document.fonts.load('13px "Inter Variable"').catch(() => undefined);

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App client={createClient(window.coffer)} />);
