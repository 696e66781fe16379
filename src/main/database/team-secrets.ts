/** Version 8: since when the team's list shares secrets, as a tag of the server's; NULL: it shares none, or the server has not said so yet. */
export const teamSecrets = 'ALTER TABLE team ADD COLUMN secrets_since TEXT';
