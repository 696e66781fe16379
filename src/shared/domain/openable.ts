/*
 * Which kinds of file Coffer hands to the desktop to be opened. Somebody else may have stored the file, and opening some kinds does more
 * than show them: systems and programs run, install, mount, import or follow them. A list of what is dangerous is never complete, since
 * each program that is installed adds kinds, so this is a list of what programs only show. Everything else is shown in its folder.
 *
 * Left out although many have them, with the reason:
 * - HTML, SVG, MHT and XML open in a browser, with their scripts; XML also in Word and Excel, with macros (ProgID).
 * - The old binary formats of Office (doc, xls, ppt, pub, vsd, mpp) may hold macros like docm and xlsm. Microsoft, "Macros from the
 *   internet are blocked by default in Office".
 * - PostScript (ps, eps) is a program. Notebooks (ipynb) and Blender's files hold some.
 * - Languages whose installers may have a double click run the file, or load it with effects: py, js, jsx, lua, php, r, hs, jl.
 * - Calendars, contacts, certificates, profiles and mail (ics, vcf, cer, eml) are imported.
 * - WMA, WMV, ASF, KML and play lists make their programs fetch other addresses.
 * - Archives and disk images may hold anything, and are unpacked or mounted.
 *
 * Compared with: Microsoft, "Blocked attachments in Outlook"; Chromium, components/safe_browsing/content/resources/download_file_types.asciipb.
 */

const words = (text: string) => text.split(' ');

const openable = new Set([
  // Texts, and source code that is only ever compiled.
  ...words(
    'adoc bib cfg conf css csv diff env gitignore ini json jsonl log markdown md org patch po properties rst rtf',
  ),
  ...words('scss sql srt strings tex text toml tsv txt vtt yaml yml'),
  ...words('c cc cpp cs cxx dart fs go h hpp java kt m mm proto rs scala swift ts tsx vue zig'),
  // Documents.
  ...words(
    'docx dotx key numbers odf odg odp ods odt otg otp ots ott pages pdf potx ppsx pptx vsdx xlsx xltx',
  ),
  ...words('djvu drawio epub excalidraw'),
  // Pictures.
  ...words(
    'ai apng arw avif bmp cr2 cr3 dng gif heic heif ico indd jfif jpeg jpg jxl kra nef orf png psb psd raf raw rw2',
  ),
  ...words('tga tif tiff webp xcf'),
  // Sound and film.
  ...words('aac aif aiff caf flac m4a m4b mid midi mp3 oga ogg opus wav weba'),
  ...words('3gp avi m2ts m4v mkv mov mp4 mpeg mpg mts ogv webm'),
  // Drawings, models, maps, tables.
  ...words('3mf dae dwg dxf f3d fbx geojson glb gltf gpx obj skp sqlite step stl stp'),
]);

/**
 * Whether Coffer opens a file of this name, and hands it to a program to be edited. The ending decides, as it does on Windows and macOS.
 * A name without one is not opened: Linux desktops then go by the bytes, and start a Windows program with Wine although it is not
 * executable. Nor is one that ends with a dot or a space, which Windows leaves out and others don't.
 */
export function isOpenable(fileName: string): boolean {
  const [, ending = ''] = /\.([^.]+)$/.exec(fileName) ?? [];
  return openable.has(ending.toLowerCase());
}
