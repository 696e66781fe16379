/**
 * Coffer's identity for operating systems. Never change it: installers, shortcuts and granted permissions depend on it. The
 * packager imports it; Electron reads `productName` and `desktopName` from package.json, and a test checks that they
 * match.
 */
export const productName = 'Coffer';

/** The bundle identifier of macOS, the Application User Model ID of Windows, the name of the desktop file of Linux. */
export const appId = 'org.coffer.Coffer';

/** Windows activates this class when a person clicks on a notification. */
export const toastActivatorClsid = '{5D1B6E0B-3C0A-4E57-9C1E-7B0F6A52C8D4}';
