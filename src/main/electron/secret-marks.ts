/**
 * Additional clipboard formats that ask clipboard histories and cloud clipboards to ignore the text. Windows: the
 * formats of its "Cloud Clipboard and Clipboard History", the first also for other monitors, the two others a DWORD
 * of 0; macOS: the convention of nspasteboard.org; elsewhere: that of KDE's Klipper, which other managers follow.
 * They are requests: a program that ignores them sees the text. For the names of raw formats see
 * docs/api/clipboard.md.
 */
export function secretMarks(platform: NodeJS.Platform): Record<string, string> {
  const marks = marksOf[platform === 'win32' || platform === 'darwin' ? platform : 'other'];
  return Object.fromEntries(
    Object.entries(marks).map(([name, content]) => [
      `electron application/osclipboard;format="${name}"`,
      content,
    ]),
  );
}

const zero = '\0'.repeat(4);

const marksOf: Record<'win32' | 'darwin' | 'other', Record<string, string>> = {
  win32: {
    ExcludeClipboardContentFromMonitorProcessing: zero,
    CanIncludeInClipboardHistory: zero,
    CanUploadToCloudClipboard: zero,
  },
  darwin: { 'org.nspasteboard.ConcealedType': 'secret' },
  other: { 'x-kde-passwordManagerHint': 'secret' },
};
