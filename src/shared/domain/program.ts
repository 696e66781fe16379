/*
 * What a file's extension says about opening it. Somebody else may have stored the file, and opening some kinds does more than show
 * them: Coffer reveals those in their folder and never opens them. Sources of the lists:
 *
 * - Windows: Microsoft, "Blocked attachments in Outlook"; Chromium, components/safe_browsing/content/resources/download_file_types.asciipb.
 * - Office: Microsoft, "Macros from the internet are blocked by default in Office"; for the queries and SYLK, NHS Digital CC-2481 (iqy)
 *   and CERT/CC, "Microsoft Office for Mac cannot properly disable XLM macros" (slk).
 * - macOS: Chromium's list; Apple's uniform types that conform to com.apple.internet-location, which open another address.
 * - Linux: Chromium's list; freedesktop.org, "Desktop Entry Specification"; Flatpak, "flatpakref".
 */

const words = (text: string) => text.split(' ');

/** Files that Windows runs, installs or follows. */
const ofWindows = words(
  'ade adp app appcontent-ms appinstaller application appref-ms appx appxbundle asp bas bat chm cmd com cpl diagcab ' +
    'exe fxp gadget grp hlp hpj hta inf ins isp its js jse library-ms lnk mad maf mag mam maq mar mas mau mav maw mcf ' +
    'mda mdb mde mdt mdw mdz msc msh msh1 msh1xml msh2 msh2xml mshxml msi msix msixbundle msp mst msu ops osd pif plg ' +
    'ppkg prf prg printerexport ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 rdp reg scf scr sct search-ms ' +
    'searchconnector-ms settingcontent-ms shb shs theme themepack udl url vb vbe vbp vbs vsmacros vsw webpnp website ws ' +
    'wsb wsc wsf wsh xbap xnk',
);

/** Office documents with macros, and queries that Office sends on opening. */
const ofOffice = words(
  'docm dotm dqy iqy oqy ppa ppam ppsm potm pptm rqy sldm slk wll xla xlam xll xlm xlsb xlsm xltm',
);

/** Files that macOS runs, installs or follows. */
const ofMacos = words(
  'action afploc applescript command dmg fileloc ftploc inetloc mobileconfig mpkg newsloc osax pkg prefpane saver scpt ' +
    'scptd shortcut terminal tool vncloc webloc workflow',
);

/** Files that Linux desktops run, install or follow; and shell scripts on all systems. */
const ofLinux = words('appimage bash csh deb desktop flatpakref flatpakrepo kdelnk ksh rpm run sh snap zsh');

/** Scripts and virtual disks, which other programs are registered for. */
const others = words('img iso jar jnlp pl py pyc pyo pyw pyz pyzw rb vhd vhdx');

const programs = new Set([...ofWindows, ...ofOffice, ...ofMacos, ...ofLinux, ...others]);

/**
 * Kinds that may be opened for editing: texts, documents, pictures, audio and video, whose programs show and save them, without active
 * content. Everything else can be downloaded and edited from its folder.
 */
const editable = new Set([
  ...words(
    'adoc asc bib cfg conf css csv diff env gitignore htm html ics ini json jsonl ldif log markdown md nfo org patch po pot',
  ),
  ...words('properties rst rtf sql srt strings tex text toml tsv txt vcf vtt xml yaml yml'),
  ...words(
    'c cc cpp cs cxx dart ex fs go gradle h hpp hs java jl jsx kt kts lua m mm php proto r rs scala scss swift ts tsx vue zig',
  ),
  ...words(
    'doc docx dot dotx key numbers odf odg odp ods odt otg otp ots ott pages pdf pot potx pps ppsx ppt pptx pub',
  ),
  ...words('vsd vsdx xls xlsx xlt xltx epub mpp drawio excalidraw'),
  ...words('ai avif bmp dng eps gif heic ico indd jpeg jpg kra png ps psb psd raw svg tga tif tiff webp xcf'),
  ...words('aac aif aiff flac m4a mid midi mp3 ogg opus wav avi m4v mkv mov mp4 mpeg mpg webm'),
  ...words('blend dae dwg dxf f3d fbx glb gltf obj skp step stl stp 3mf gpx kml geojson ipynb sqlite'),
]);

/** Lower case; '': none. Like Windows, ignores trailing dots and spaces. */
function endingOf(fileName: string): string {
  const name = fileName.replace(/[. ]+$/, '').toLowerCase();
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
}

/** Whether opening such a file makes a system run, install or follow it. */
export function isProgram(fileName: string): boolean {
  return programs.has(endingOf(fileName));
}

/**
 * Whether a copy of such a file may be opened for editing. A name without an extension may: Windows has no program for it, and other
 * systems run a file by its content only if it is executable, which a copy is not.
 */
export function isEditable(fileName: string): boolean {
  const ending = endingOf(fileName);
  return ending === '' || (editable.has(ending) && !programs.has(ending));
}
