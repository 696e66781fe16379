import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import type { Bridge } from '../shared/bridge.ts';
import { App } from './app/App.tsx';
import { createClient } from './app/client.ts';
import './ui/base.css';

declare global {
  interface Window {
    /** Put there by the preload script. */
    coffer: Bridge<File>;
  }
}

// zod would compile its checks with `new Function`, which the content security policy forbids.
z.config({ jitless: true });

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App client={createClient(window.coffer)} />);
