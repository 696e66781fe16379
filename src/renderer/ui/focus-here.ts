/** For the one control a dialog or a form of its own begins with: the keyboard was taken away, so it must stand somewhere. */
export const focusHere = { autoFocus: true };
