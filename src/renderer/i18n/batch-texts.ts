import type { BatchAction } from '../../shared/domain/batch.ts';
import { messages } from '../../shared/i18n/messages.ts';

/** Transfers that one action started, as one entry of the dock. */
export const batchTexts = messages('batch', {
  moving: {
    upload: '{count, plural, one {Uploading # file} other {Uploading # files}}',
    download: '{count, plural, one {Downloading # file} other {Downloading # files}}',
    reclassify: '{count, plural, one {Changing # classification} other {Changing # classifications}}',
    move: '{count, plural, one {Moving # object} other {Moving # objects}}',
  } as const satisfies Record<BatchAction, string>,
  waiting: {
    upload: '{count, plural, one {# file to upload} other {# files to upload}}',
    download: '{count, plural, one {# file to download} other {# files to download}}',
    reclassify: '{count, plural, one {# classification to change} other {# classifications to change}}',
    move: '{count, plural, one {# object to move} other {# objects to move}}',
  } as const satisfies Record<BatchAction, string>,
  done: {
    upload: '{count, plural, one {# file uploaded} other {# files uploaded}}',
    download: '{count, plural, one {# file downloaded} other {# files downloaded}}',
    reclassify: '{count, plural, one {# classification changed} other {# classifications changed}}',
    move: '{count, plural, one {# object moved} other {# objects moved}}',
  } as const satisfies Record<BatchAction, string>,
  partly: {
    upload: '{done, number} of {count, plural, one {# file uploaded} other {# files uploaded}}',
    download: '{done, number} of {count, plural, one {# file downloaded} other {# files downloaded}}',
    reclassify:
      '{done, number} of {count, plural, one {# classification changed} other {# classifications changed}}',
    move: '{done, number} of {count, plural, one {# object moved} other {# objects moved}}',
  } as const satisfies Record<BatchAction, string>,
  doneSoFar: '{count, plural, other {# done}}',
  failed: '{count, plural, other {# failed}}',
  asking: '{count, plural, one {# needs your answer} other {# need your answer}}',
  cancelled: '{count, plural, other {# cancelled}}',
  unfold: 'Show each: {name}',
  fold: 'Hide each: {name}',
  cancel: '{count, plural, one {Cancel # transfer} other {Cancel # transfers}}',
  tryAgain: '{count, plural, one {Try # again} other {Try # again}}',
});
