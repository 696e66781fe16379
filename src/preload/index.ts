import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge, type FileToGrant } from '../shared/bridge.ts';

/*
 * Runs sandboxed, in its own world (contextIsolation). contextBridge copies values and proxies functions. The page
 * gets only these five functions and nothing of ipcRenderer: no channel, no event object.
 */
const bridge: Bridge<File> = {
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input),

  on: (listener) => {
    const forward = (_event: unknown, name: string, payload: unknown) => listener(name, payload);
    ipcRenderer.on(channels.event, forward);
    return () => void ipcRenderer.off(channels.event, forward);
  },

  // webUtils throws if it is not a File, and returns '' for a File created in memory.
  grantFiles: async (files) => {
    const named: FileToGrant[] = files.map((file) => ({
      name: file.name,
      path: webUtils.getPathForFile(file),
    }));
    return ipcRenderer.invoke(channels.grant, named);
  },

  startDrag: () => ipcRenderer.send(channels.drag),

  // Kilobytes. Of the figures it has, `private` is on every system.
  memoryBytes: async () => (await process.getProcessMemoryInfo()).private * 1024,
};

contextBridge.exposeInMainWorld('coffer', bridge);
