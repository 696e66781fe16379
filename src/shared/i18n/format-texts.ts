import { messages } from './messages.ts';

/** Units, dates and durations. */
export const formatTexts = messages('format', {
  unit: { B: 'B', KB: 'KB', MB: 'MB', GB: 'GB', TB: 'TB' },
  size: '{number} {unit}',
  progress: '{done} of {total}',
  bytes: '{count, plural, one {# byte} other {# bytes}}',
  perSecond: '{size}/s',
  seconds: '{count} s',
  minutes: '{count} min',
  hours: '{count} h',
  minutesSeconds: '{minutes} min {seconds} s',
  hoursMinutes: '{hours} h {minutes} min',
  noDate: 'Unknown',
  todayAt: 'Today {time}',
  dayAt: '{day} {time}',
  justNow: 'Just now',
  minutesAgo: '{count} min ago',
  hoursAgo: '{count} h ago',
  yesterday: 'Yesterday',
});
