import fc from 'fast-check';

// A machine that has much else to do tries fewer examples.
fc.configureGlobal({ interruptAfterTimeLimit: 20_000 });
