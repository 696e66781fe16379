/** For the first control of a dialog or inline form: the previous focus is gone, so focus must go somewhere. */
export const focusHere = { autoFocus: true };
