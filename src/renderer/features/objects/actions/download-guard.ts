import type { Output } from '../../../../shared/contract.ts';

export type DownloadEstimate = Output<'objects.downloadEstimate'>;

const objectsMax = 1000;

/** Whether to ask before a download: above 1,000 objects, or half of the free space. */
export function needsQuestion({ count, totalBytes, freeBytes }: DownloadEstimate): boolean {
  return count > objectsMax || (freeBytes !== null && totalBytes > freeBytes / 2);
}
