import { retainFileWorkers } from '../../src/main/local-files/file-workers.ts';

// All tests of a process share the file threads, which don't keep it from ending. Otherwise each test would start its own.
retainFileWorkers();
