import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
// First, so that component styles override it.
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import type { Bridge } from '../shared/bridge.ts';
import { loadCatalogues } from '../shared/i18n/catalogues.ts';
import { applyLanguage, chooseLanguage } from '../shared/i18n/language.ts';
import { App } from './shell/App.tsx';
import { createClient } from './app/client.ts';
// Last, so that it overrides component styles.
import './ui/forced-colors.css';

declare global {
  interface Window {
    /** Set by the preload script. */
    coffer: Bridge<File>;
  }
}

// zod would compile its validators with `new Function`, which the content security policy forbids.
z.config({ jitless: true });

// Preloads the font; if it cannot be loaded, the system's font is used.
document.fonts.load('13px "Inter Variable"').catch(() => undefined);

loadCatalogues();
// Until main reports the system's languages.
await applyLanguage(chooseLanguage('system', navigator.languages));

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App client={createClient(window.coffer)} />);
