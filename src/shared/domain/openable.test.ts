import { expect, test } from 'vitest';
import { isOpenable } from './openable.ts';

const kinds = (text: string) => text.split(/\s+/);

test.each(
  kinds(
    'report.pdf REPORT.PDF a.exe.txt a.b.docx .gitignore film.mp4 photo.HEIC song.flac a.csv main.rs plan.dwg',
  ),
)('%s is opened', (name) => {
  expect(isOpenable(name)).toBe(true);
});

// Each does more than show its file on a system with the programs that register for it.
test.each(
  kinds(
    `vsto oxt configprofile mobileconfig one onepkg ica crx xpi xip sparseimage sparsebundle smi html htm xhtml shtml mht mhtml svg svgz xml
    xsl dmg iso img vhd vhdx wim zip 7z rar tar gz tgz xz jar war apk ipa deb rpm snap flatpak flatpakref appimage run
    desktop directory service exe com scr pif bat cmd ps1 vbs js jse jsx mjs wsf hta msi msix appx appinstaller lnk url website
    settingcontent-ms library-ms search-ms searchconnector-ms theme themepack deskthemepack diagcab cab reg inf cpl chm hlp scf rdp
    docm dotm xlsm xltm xlam xlsb pptm potm ppam sldm doc dot xls xlt xla xll ppt pot pps pub vsd mpp mdb accdb accde
    iqy oqy dqy rqy slk dif odc xlw wll eml msg ics vcf vcs cer crt pem p12 pfx p7b p7s
    app command tool terminal action workflow scpt applescript pkg mpkg prefpane saver qlgenerator inetloc fileloc webloc
    ftploc afploc vncloc mailloc newsloc shortcut osax kext sh bash zsh csh ksh fish py pyc pyw pyz pl rb php lua tcl r rdata hs jl
    ps eps ipynb blend kml kmz m3u m3u8 pls asx wpl wma wmv asf torrent jnlp swf air class ttf otf fon nfo gadget mui sys dll
    so dylib ocx bin elf dat unheard-of`,
  ),
)('a file of the kind %s is not opened', (ending) => {
  expect([isOpenable(`report.${ending}`), isOpenable(`report.pdf.${ending.toUpperCase()}`)]).toEqual([
    false,
    false,
  ]);
});

test.each([
  '',
  'report',
  'exe',
  'pdf',
  'a.pdf.',
  'a.pdf ',
  'a.exe. ',
  'a.pdf:b.exe',
  'a.pdf\u202e',
  'a.\u202efdp',
  'a.pdf/',
  'a.ｐdf',
])('knows no ending of %j, so it does not open it', (name) => {
  expect(isOpenable(name)).toBe(false);
});
