/**
 * The environment without the additions of an AppImage's start script (AppRun: PATH, LD_LIBRARY_PATH, XDG_DATA_DIRS,
 * GSETTINGS_SCHEMA_DIR): other programs must not load Coffer's libraries.
 * @example spawn('xdg-open', [path], { env: outsideAppImage(process.env) })
 */
export function outsideAppImage(environment: NodeJS.ProcessEnv): Record<string, string> {
  const { APPDIR: inside, APPIMAGE: _file, ARGV0: _name, OWD: _folder, ...rest } = environment;
  const isOutside = (path: string) => !inside || (path !== inside && !path.startsWith(`${inside}/`));
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value = '']) => {
      const kept = value.split(':').filter(isOutside).join(':');
      return kept === '' && value !== '' ? [] : [[name, kept]];
    }),
  );
}
