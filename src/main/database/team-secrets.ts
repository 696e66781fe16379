/** Version 8: the server's tag from which on the team's list shares secrets; NULL: it shares none, or the server has not reported it. */
export const teamSecrets = 'ALTER TABLE team ADD COLUMN secrets_since TEXT';
