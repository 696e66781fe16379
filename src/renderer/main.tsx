// First: components may say otherwise.
import './ui/base.css';
// First, so that what a component says of itself stands above it.
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import type { Bridge } from '../shared/bridge.ts';
import { App } from './app/App.tsx';
import { createClient } from './app/client.ts';
import { refuseDrops } from './app/refuse-drops.ts';

declare global {
  interface Window {
    /** Put there by the preload script. */
    coffer: Bridge<File>;
  }
}

// zod would compile its checks with `new Function`, which the content security policy forbids.
z.config({ jitless: true });

refuseDrops();

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App client={createClient(window.coffer)} />);
