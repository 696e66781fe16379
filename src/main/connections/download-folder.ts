import { join } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Paths } from '../ports.ts';
import type { StoredService } from './service-repository.ts';

/** Absolute path of a service's download folder. */
export function downloadFolderOf(
  service: Pick<StoredService, 'name' | 'downloadFolder'>,
  paths: Pick<Paths, 'downloads'>,
): string {
  if (service.downloadFolder !== null) return service.downloadFolder;
  return join(paths.downloads, safeFileName(service.name));
}
