import { messages } from '../../shared/i18n/messages.ts';

export const classificationTexts = messages('classification', {
  none: 'Type the classification exactly as the service names it.',
  notListed: 'Not on the service’s list. Send it anyway?',
  keep: 'Keep {value}',
  sendAnyway: 'Send anyway',
  noneListed: 'Nothing on the service’s list matches.',
  failed: '{title}. The list couldn’t be loaded. Type a classification, or use Default.',
  makeDefault: 'Make default',
  makeDefaultAsk: 'Make default…',
  forService: 'For this service',
  forFolder: 'For {folder}',
  isDefault: '{value} is now the default',
  chosenByService: 'The service chooses the classification',
  recent: 'Recent',
  all: 'All',
  asTyped: 'As typed',
});
