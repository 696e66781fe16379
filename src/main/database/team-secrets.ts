/** Version 8: whether the team's list shares secrets; not until the server has said so. */
export const teamSecrets = 'ALTER TABLE team ADD COLUMN shares_secrets INTEGER NOT NULL DEFAULT 0';
