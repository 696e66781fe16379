import fc from 'fast-check';

// A busy machine tries fewer examples.
fc.configureGlobal({ interruptAfterTimeLimit: 20_000 });
