/**
 * Who Coffer is to the systems that it runs on, for good: installers, shortcuts and what people granted hang on it. The
 * packager takes it from here; `productName` and `desktopName` stand in package.json, where Electron reads them, and a
 * test compares.
 */
export const productName = 'Coffer';

/** The bundle identifier of macOS, the Application User Model ID of Windows, the name of the desktop file of Linux. */
export const appId = 'org.coffer.Coffer';

/** Windows activates this class when a person clicks on a notification. */
export const toastActivatorClsid = '{5D1B6E0B-3C0A-4E57-9C1E-7B0F6A52C8D4}';
