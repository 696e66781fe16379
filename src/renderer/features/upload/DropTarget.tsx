import { useEffect, useState } from 'react';
import { useCommand } from '../../app/commands.ts';
import { usePlace } from '../../app/place.ts';
import { useActiveProfile } from '../../app/stores.ts';
import { CofferRelief } from '../../ui/Relief.tsx';
import { folderOfPlace, useUploadStarter } from './use-upload.ts';
import './drop-target.css';

/** Takes files dropped anywhere in the window, pasted, or chosen by command; nothing is sent by dropping. */
export function DropTarget() {
  const { offerFiles, chooseFiles, chooseFolders } = useUploadStarter();
  const profile = useActiveProfile();
  const [isOver, setOver] = useState(false);
  useCommand('upload', () => void chooseFiles());
  useCommand('uploadFolder', () => void chooseFolders());
  usePlace((state) => state.place);

  useEffect(() => {
    let depth = 0;
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    function enter(event: DragEvent) {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    }
    function over(event: DragEvent) {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    }
    function leave(event: DragEvent) {
      if (!carriesFiles(event)) return;
      depth -= 1;
      if (depth <= 0) end();
    }
    function drop(event: DragEvent) {
      end();
      if (!carriesFiles(event)) return;
      event.preventDefault();
      void offerFiles([...(event.dataTransfer?.files ?? [])]);
    }
    function end() {
      depth = 0;
      setOver(false);
    }
    function paste(event: ClipboardEvent) {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void offerFiles(files);
    }
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    window.addEventListener('paste', paste, { signal });
    return () => stop.abort();
  }, [offerFiles]);

  if (!isOver || profile === null) return null;
  const folder = folderOfPlace();
  return (
    <div className="drop" aria-hidden="true">
      <div className="drop__card">
        <CofferRelief />
        <div>
          <p className="drop__title">Drop to upload</p>
          <p className="drop__place">
            {folder === '' ? `To ${profile.name}` : `Into ${folder}${profile.separator}`}
          </p>
          <p className="drop__text">You choose identifiers and classification next. Nothing is sent yet.</p>
        </div>
      </div>
    </div>
  );
}
