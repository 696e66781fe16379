import { messages } from '../../shared/i18n/messages.ts';

/** Texts of the components in `ui/`. */
export const uiTexts = messages('ui', {
  closeMessage: 'Close message',
  messages: 'Messages',
  urgentMessages: 'Urgent messages',
});
