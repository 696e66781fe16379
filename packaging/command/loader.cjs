/*
 * Loads the modules inside the command's own program: its main script, and the entry of each of its threads. Reads nothing
 * from beside the program except the keychain's module: a program that ran a file from there would run it under its signature,
 * for anybody who copies the program, with its right to the keychain's items.
 */
const { getAsset, getRawAsset } = process.getBuiltinModule('node:sea');
const { Script } = process.getBuiltinModule('node:vm');

const folder = process.getBuiltinModule('node:path').dirname(process.execPath);
const loaded = new Map();

/** @param name of an asset with the body of a CommonJS module, beside an asset with its V8 code cache, which may be empty */
function load(name) {
  const known = loaded.get(name);
  if (known) return known.module.exports;
  const compiled = new Uint8Array(getRawAsset(`${name}.compiled`));
  const options = { filename: name, ...(compiled.length > 0 && { cachedData: compiled }) };
  const script = new Script(getAsset(name, 'utf8'), options);
  const module = { exports: {} };
  loaded.set(name, { module, script });
  script.runInThisContext()(module.exports, requireFrom, module, process.execPath, folder);
  return module.exports;
}

/** Modules of the program and of Node; never from a folder. */
function requireFrom(id) {
  if (id.startsWith('./')) return load(id.slice(2));
  const builtIn = process.getBuiltinModule(id);
  if (builtIn) return builtIn;
  throw Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND' });
}
