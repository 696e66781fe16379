/**
 * Endings that a system starts as a program, installs, or follows elsewhere when the file is opened. Somebody else may have stored
 * it: it is shown in its folder and never started from here.
 */
const programs = new Set(
  (
    'app appimage appref-ms application bash bat cmd com command cpl csh deb desktop dmg docm dotm exe gadget hta inf ' +
    'ins iso jar jnlp js jse ksh lnk mpkg msc msi msp mst pif pkg pl ps1 psm1 py pyw rb reg rpm run scpt scr sct sh ' +
    'terminal tool url vb vbe vbs vhd vhdx webloc workflow ws wsc wsf wsh xbap xlsm zsh'
  ).split(' '),
);

export function isProgram(fileName: string): boolean {
  // Windows leaves dots and spaces at the end out.
  const name = fileName.replace(/[. ]+$/, '').toLowerCase();
  return programs.has(name.slice(name.lastIndexOf('.') + 1)) && name.includes('.');
}
