import { vi } from 'vitest';

/* Must be the first setup file where modules are mocked: a module loaded by the previous file holds that file's mocks. */
vi.resetModules();
