import type { ReactNode } from 'react';

/** 16 px grid, one stroke width, round caps, no fills except dots. */
export const icons = {
  all: (
    <>
      <rect x="2.25" y="6.75" width="11.5" height="6.75" rx="1.5" />
      <path d="M3.75 4.5h8.5M5.25 2.25h5.5" />
    </>
  ),
  key: (
    <>
      <circle cx="5.25" cy="10.75" r="3" />
      <path d="m7.4 8.6 5.85-5.85M10.5 5.5l2.25 2.25" />
    </>
  ),
  gone: (
    <path d="M2.75 4.25h10.5M6 4.25V3c0-.41.34-.75.75-.75h2.5c.41 0 .75.34.75.75v1.25M4 4.25l.57 8.33c.05.66.6 1.17 1.25 1.17h4.36c.66 0 1.2-.51 1.25-1.17L12 4.25" />
  ),
  trash: (
    <path d="M2.75 4.25h10.5M6 4.25V3c0-.41.34-.75.75-.75h2.5c.41 0 .75.34.75.75v1.25M4 4.25l.57 8.33c.05.66.6 1.17 1.25 1.17h4.36c.66 0 1.2-.51 1.25-1.17L12 4.25M6.75 7.25v3.5M9.25 7.25v3.5" />
  ),
  folder: (
    <path d="M2.25 4.25v7.5c0 .69.56 1.25 1.25 1.25h9c.69 0 1.25-.56 1.25-1.25V6c0-.69-.56-1.25-1.25-1.25H8.25L6.9 3.33A1.25 1.25 0 0 0 5.98 3H3.5c-.69 0-1.25.56-1.25 1.25z" />
  ),
  tray: (
    <path d="M2.25 9.25 4 3.9c.14-.53.62-.9 1.17-.9h5.66c.55 0 1.03.37 1.17.9l1.75 5.35v2.5c0 .69-.56 1.25-1.25 1.25h-9c-.69 0-1.25-.56-1.25-1.25zM2.25 9.25H5.5L6.5 11h3l1-1.75h3.25" />
  ),
  right: <path d="M6.25 4 10.25 8l-4 4" />,
  left: <path d="M9.75 4 5.75 8l4 4" />,
  down: <path d="M4 6.25 8 10.25l4-4" />,
  updown: <path d="m5.25 6 2.75-2.75L10.75 6M5.25 10 8 12.75 10.75 10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.4 10.4 3.1 3.1" />
    </>
  ),
  upload: (
    <path d="M8 10.25V2.5M4.9 5.6 8 2.5l3.1 3.1M2.5 10.5v1.75c0 .69.56 1.25 1.25 1.25h8.5c.69 0 1.25-.56 1.25-1.25V10.5" />
  ),
  download: (
    <path d="M8 2.5v7.75M4.9 7.15 8 10.25l3.1-3.1M2.5 10.5v1.75c0 .69.56 1.25 1.25 1.25h8.5c.69 0 1.25-.56 1.25-1.25V10.5" />
  ),
  deferred: (
    <>
      <path d="M5.75 2.5v7M3 6.75 5.75 9.5 8.5 6.75M2.5 13h4" />
      <circle cx="11.25" cy="11.25" r="2.75" />
      <path d="M11.25 9.9v1.35l.9.65" />
    </>
  ),
  up: <path d="M8 12.75V3.5M4 7.5l4-4 4 4" />,
  dn: <path d="M8 3.25v9.25M4 8.5l4 4 4-4" />,
  moves: <path d="M5 13V3M2.25 5.75 5 3l2.75 2.75M11 3v10M8.25 10.25 11 13l2.75-2.75" />,
  check: <path d="m3.25 8.6 3.1 3.15 6.4-7" />,
  okay: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="m5.5 8.2 1.75 1.75 3.25-3.7" />
    </>
  ),
  fail: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 5v3.4" />
      <circle cx="8" cy="10.75" r="0.8" fill="currentColor" stroke="none" />
    </>
  ),
  missing: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="m3.95 12.05 8.1-8.1" />
    </>
  ),
  unknown: <circle cx="8" cy="8" r="5.75" strokeDasharray="2.1 2.415" strokeDashoffset="1" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.75V8l2.25 1.4" />
    </>
  ),
  warn: (
    <>
      <path d="M7.02 3.02a1.13 1.13 0 0 1 1.96 0l4.86 8.6a1.13 1.13 0 0 1-.98 1.68H3.14a1.13 1.13 0 0 1-.98-1.68zM8 6.5v2.9" />
      <circle cx="8" cy="11.35" r="0.75" fill="currentColor" stroke="none" />
    </>
  ),
  refresh: <path d="M13.25 8a5.25 5.25 0 1 1-1.54-3.71L13.25 5.8M13.25 2.75V5.8H10.2" />,
  pause: <path d="M6 4v8M10 4v8" />,
  copy: (
    <>
      <rect x="5.75" y="5.75" width="7.75" height="7.75" rx="1.5" />
      <path d="M10.25 5.75V4c0-.83-.67-1.5-1.5-1.5H4c-.83 0-1.5.67-1.5 1.5v4.75c0 .83.67 1.5 1.5 1.5h1.75" />
    </>
  ),
  x: <path d="m4.25 4.25 7.5 7.5M11.75 4.25l-7.5 7.5" />,
  pin: <path d="M5.75 2.75h4.5l-.5 4.25 2.5 2v1.25h-8.5V9l2.5-2zM8 10.25v3.5" />,
  star: <path d="M8 2.4l1.7 3.5 3.9.55-2.8 2.7.67 3.85L8 11.2 4.53 13l.67-3.85-2.8-2.7 3.9-.55z" />,
  starred: (
    <path
      d="M8 2.4l1.7 3.5 3.9.55-2.8 2.7.67 3.85L8 11.2 4.53 13l.67-3.85-2.8-2.7 3.9-.55z"
      fill="currentColor"
    />
  ),
  plus: <path d="M8 3.25v9.5M3.25 8h9.5" />,
  more: (
    <>
      <circle cx="3.5" cy="8" r="1" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="1" fill="currentColor" stroke="none" />
      <circle cx="12.5" cy="8" r="1" fill="currentColor" stroke="none" />
    </>
  ),
  settings: (
    <>
      <path d="M2.25 5h5.5M11.25 5h2.5M2.25 11h2.5M8.25 11h5.5" />
      <circle cx="9.5" cy="5" r="1.75" />
      <circle cx="6.5" cy="11" r="1.75" />
    </>
  ),
  panel: (
    <>
      <rect x="2.25" y="3" width="11.5" height="10" rx="1.75" />
      <path d="M9.75 3v10" />
    </>
  ),
  columns: <path d="M2.25 4.25h11.5M2.25 8h11.5M2.25 11.75h7" />,
  file: (
    <path d="M9.25 2.25H4.5c-.69 0-1.25.56-1.25 1.25v9c0 .69.56 1.25 1.25 1.25h7c.69 0 1.25-.56 1.25-1.25V5.75zM9.25 2.25v3.5h3.5" />
  ),
  text: (
    <path d="M9.25 2.25H4.5c-.69 0-1.25.56-1.25 1.25v9c0 .69.56 1.25 1.25 1.25h7c.69 0 1.25-.56 1.25-1.25V5.75zM9.25 2.25v3.5h3.5M5.75 8.5h4.5M5.75 11h3" />
  ),
  image: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="1.75" />
      <circle cx="5.6" cy="6" r="1" />
      <path d="m2.6 11.9 3.1-3.15a1 1 0 0 1 1.4 0l1.15 1.15 1.7-1.75a1 1 0 0 1 1.43 0l2.12 2.2" />
    </>
  ),
  video: (
    <>
      <rect x="2.25" y="3.25" width="11.5" height="9.5" rx="1.75" />
      <path d="m6.75 5.9 3.25 2.1-3.25 2.1z" />
    </>
  ),
  audio: (
    <>
      <path d="M6.25 11.75v-7.5l6-1.5v7.5" />
      <circle cx="4.5" cy="11.75" r="1.75" />
      <circle cx="10.5" cy="10.25" r="1.75" />
    </>
  ),
  table: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="10.5" rx="1.75" />
      <path d="M2.25 6.25h11.5M2.25 9.75h11.5M6.25 6.25v7" />
    </>
  ),
  archive: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="3" rx="1" />
      <path d="M3.25 5.75v6.25c0 .69.56 1.25 1.25 1.25h7c.69 0 1.25-.56 1.25-1.25V5.75M6.5 8.5h3" />
    </>
  ),
  points: <path d="m8 2.25 5.25 2.9v5.7L8 13.75l-5.25-2.9v-5.7zM2.75 5.15 8 8.05l5.25-2.9M8 8.05v5.7" />,
  eye: (
    <>
      <path d="M1.75 8c1.3-2.6 3.55-4.25 6.25-4.25S12.95 5.4 14.25 8c-1.3 2.6-3.55 4.25-6.25 4.25S3.05 10.6 1.75 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  eyeoff: (
    <>
      <path d="M1.75 8c1.3-2.6 3.55-4.25 6.25-4.25S12.95 5.4 14.25 8c-1.3 2.6-3.55 4.25-6.25 4.25S3.05 10.6 1.75 8z" />
      <circle cx="8" cy="8" r="1.9" />
      <path d="m3 13 10-10" />
    </>
  ),
  lock: (
    <>
      <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
      <path d="M5.25 7V5.25a2.75 2.75 0 0 1 5.5 0V7" />
    </>
  ),
  server: (
    <>
      <rect x="2.25" y="2.75" width="11.5" height="4.25" rx="1.25" />
      <rect x="2.25" y="9" width="11.5" height="4.25" rx="1.25" />
      <circle cx="4.9" cy="4.88" r="0.75" fill="currentColor" stroke="none" />
      <circle cx="4.9" cy="11.13" r="0.75" fill="currentColor" stroke="none" />
    </>
  ),
  laptop: (
    <>
      <rect x="3.25" y="3" width="9.5" height="7" rx="1.25" />
      <path d="M1.75 12.75h12.5" />
    </>
  ),
  pencil: <path d="M10.9 3.1a1.4 1.4 0 0 1 2 2L6 12l-2.75.75L4 10z" />,
  undo: <path d="M5.5 3.25 2.75 6 5.5 8.75M2.75 6H9.5a3.5 3.5 0 0 1 0 7H6.5" />,
  play: <path d="M5.25 3.6v8.8c0 .4.44.64.78.42l6.7-4.4a.5.5 0 0 0 0-.84l-6.7-4.4a.5.5 0 0 0-.78.42z" />,
  away: (
    <path d="M4.6 12.5a2.85 2.85 0 0 1-.3-5.69A4 4 0 0 1 6 4.2M8.2 3.5a4 4 0 0 1 3.55 3.33A2.85 2.85 0 0 1 13.3 11.6M2.75 2.75l10.5 10.5" />
  ),
  top: <path d="M3.5 2.75h9M8 13.25V5.75M4.5 9 8 5.5 11.5 9" />,
  grip: (
    <>
      {[4, 8, 12].map((y) => (
        <g key={y} fill="currentColor" stroke="none">
          <circle cx="6" cy={y} r="0.8" />
          <circle cx="10" cy={y} r="0.8" />
        </g>
      ))}
    </>
  ),
  cert: (
    <>
      <circle cx="8" cy="6.25" r="4" />
      <path d="m5.75 9.6-.75 4 3-1.6 3 1.6-.75-4" />
    </>
  ),
  limit: (
    <>
      <path d="M3.1 12.25a5.75 5.75 0 1 1 9.8 0M8 9.25l2.75-3.5" />
      <circle cx="8" cy="9.5" r=".9" fill="currentColor" stroke="none" />
    </>
  ),
  program: <path d="m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5l3.5 3.5-3.5 3.5M9.1 3l-2.2 10" />,
  terminal: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.75" />
      <path d="M4.5 6 6.75 8 4.5 10M8.5 10.25h3" />
    </>
  ),
  keyboard: (
    <>
      <rect x="1.75" y="4" width="12.5" height="8" rx="1.5" />
      <path d="M4.5 6.75h.01M6.85 6.75h.01M9.15 6.75h.01M11.5 6.75h.01M5.75 9.5h4.5" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof icons;
