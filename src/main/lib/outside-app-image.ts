/**
 * The environment without what the start script of an AppImage has added (AppRun: PATH, LD_LIBRARY_PATH, XDG_DATA_DIRS,
 * GSETTINGS_SCHEMA_DIR): another program must not load the libraries that Coffer brings.
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
