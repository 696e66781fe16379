/** The one word of a command line that asks for the process of the keychain. Not a command: no parser knows it. */
export const keychainWord = '_keychain';
