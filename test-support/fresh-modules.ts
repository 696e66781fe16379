import { vi } from 'vitest';

/* The first setup file where modules are replaced: a module that the file before loaded holds that file's replacements. */
vi.resetModules();
