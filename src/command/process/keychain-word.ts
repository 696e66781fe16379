/** First argument that starts the keychain process. Not a command: the parser does not know it. */
export const keychainWord = '_keychain';
