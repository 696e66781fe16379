import { messages } from '../../../shared/i18n/messages.ts';

/** The report for support, and the offer of one after a crash. */
export const reportTexts = messages('report', {
  save: 'Save a report…',
  title: 'Report for support',
  lead: 'Read it before you send it to somebody. Coffer saves it as a file and sends nothing.',
  making: 'Making the report…',
  text: 'The report',
  withNames: 'With names and addresses of your services',
  saved: 'The report is saved as {fileName}',
  crash: {
    app: 'Coffer stopped because of an error',
    thread: 'A part of Coffer stopped because of an error',
    killed: 'Coffer wasn’t closed properly last time',
    text: '{when}. A report helps to find out why.',
    show: 'Show the report',
  },
});
