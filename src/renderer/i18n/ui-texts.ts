import { messages } from '../../shared/i18n/messages.ts';

/** What components of `ui/` say of themselves. */
export const uiTexts = messages('ui', {
  closeMessage: 'Close message',
  messages: 'Messages',
  urgentMessages: 'Urgent messages',
});
