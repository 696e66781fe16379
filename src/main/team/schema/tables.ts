/**
 * The tables on the team's server. Texts compare by bytes ("C"), so that every server sorts alike. Limits are checked
 * here and not only in clients, because a member may use any program.
 */
export const tables = `
-- Others cannot hold every identifier, and a database keeps its encoding for ever.
do $$ begin
  if getdatabaseencoding() <> 'UTF8' then
    raise exception 'The database must have the encoding UTF8.' using errcode = '0A000';
  end if;
end $$;

create schema coffer;

-- Roles belong to the whole server: another team's database or an administrator may have made it, and the owner may make none.
do $$ begin
  if to_regrole('coffer_member') is null then
    create role coffer_member nologin;
  end if;
end $$;

do $$ begin
  execute format('revoke connect, temporary on database %I from public', current_database());
  execute format('grant connect on database %I to coffer_member', current_database());
end $$;

create table coffer.step (
  number int primary key,
  digest text not null,
  at timestamptz not null default now(),
  by name not null default session_user
);

create table coffer.person (
  id int generated always as identity primary key,
  role_name name not null unique,
  shown text not null check (char_length(shown) between 1 and 80),
  since timestamptz not null default now(),
  ended_at timestamptz,
  -- An invitation made the role, for this team alone: its login is closed when the person is ended.
  is_made boolean not null default false,
  -- Their password is not that of their invitation any more. Until then another invitation gives their role another one.
  has_own_password boolean not null default false
);

-- One for each service that the team shares.
create table coffer.list (
  id int generated always as identity primary key,
  name text collate "C" not null unique check (char_length(name) between 1 and 80),
  -- The address of the service: shown and compared, never asked.
  origin text not null check (char_length(origin) between 1 and 2000),
  separator text not null check (char_length(separator) between 1 and 8),
  version_mark text not null check (char_length(version_mark) between 1 and 40),
  shares_secrets boolean not null default false,
  -- Drawn when they are taken back: taken back and shared again between two looks of a client loses nothing.
  secrets_since uuid not null default gen_random_uuid(),
  shares_notes boolean not null default true,
  shares_names boolean not null default true
);

-- The counter of a list. Its writers hold this row until they commit, so numbers are in the order of commits.
create table coffer.feed (
  list int primary key references coffer.list on delete cascade,
  epoch uuid not null default gen_random_uuid(),
  rev bigint not null default 0,
  -- Moves when areas, access or persons change.
  access_rev bigint not null default 0,
  -- Areas have changed: objects with greater ids are still to be looked at. NULL: none are.
  unsettled_after bigint,
  trimmed_at timestamptz not null default now()
) with (fillfactor = 20);

-- Which objects belong together. Each has exactly one: that of its classification before one of any, then the longest prefix.
create table coffer.area (
  id int generated always as identity primary key,
  list int not null references coffer.list on delete cascade,
  prefix text collate "C" not null default '' check (octet_length(prefix) <= 2000),
  -- NULL: any.
  classification text collate "C" check (char_length(classification) <= 2000),
  -- Nothing comes into it any more. It goes when its objects have gone to others; until then it shows them to those whom it showed them.
  is_removed boolean not null default false,
  unique nulls not distinct (list, prefix, classification)
);

create table coffer.access (
  area int not null references coffer.area on delete cascade,
  person int not null references coffer.person on delete cascade,
  -- 1 reads, 2 contributes, 3 curates.
  may smallint not null check (may in (1, 2, 3)),
  -- Another one tells a client that access was taken and given back: it fetches the area anew, and what does not come is gone.
  since uuid not null default gen_random_uuid(),
  -- What had left the area by then is not for them: they were never told that it was there.
  since_rev bigint not null default 0,
  primary key (person, area)
);

create sequence coffer.object_id cache 1;

-- Written by push_1 alone: foreign keys would cost a third of a push.
create table coffer.object (
  id bigint primary key default nextval('coffer.object_id'),
  list int not null,
  -- 0 object, 1 secret.
  kind smallint not null check (kind in (0, 1)),
  identifier text collate "C" not null check (octet_length(identifier) between 1 and 2000),
  -- The number of its last change.
  rev bigint not null,
  area int not null,
  -- 0 stored, 2 unknown, 3 missing, 5 deleted.
  state smallint not null check (state in (0, 2, 3, 5)),
  seen_ms bigint not null check (seen_ms between 0 and 8640000000000000),
  seen_by int not null,
  -- Since when these bytes are claimed: stored, or found.
  bytes_ms bigint not null default 0,
  -- Drawn by whoever stored it, before POST; NULL: found, not stored, by a member.
  incarnation uuid,
  length_bytes bigint check (length_bytes between 0 and 9007199254740991),
  sha256 bytea check (octet_length(sha256) = 32),
  classification text check (char_length(classification) <= 2000),
  source_name text check (char_length(source_name) <= 1000),
  stored_ms bigint check (stored_ms between 0 and 8640000000000000),
  stored_by int,
  parts jsonb check (
    pg_column_size(parts) <= 400 and coalesce((parts->>'manifestBytes')::bigint, 0) between 0 and 9007199254740991
  ),
  note text not null default '' check (char_length(note) <= 10000),
  renew_by date check (renew_by between '0001-01-01' and '9999-12-31'),
  is_forgotten boolean not null default false,
  unique (list, kind, identifier)
) with (fillfactor = 90);
create index object_feed on coffer.object (list, rev);

-- An object has left an area: for those who may read that one only.
create table coffer.moved (
  list int not null,
  rev bigint not null,
  object bigint not null,
  kind smallint not null,
  identifier text collate "C" not null,
  area int not null,
  primary key (list, rev, object)
);

-- Only ever added to. Who may read an object may read its history, also that of before it came into their area.
create table coffer.history (
  list int not null,
  rev bigint not null,
  object bigint not null,
  at_ms bigint not null,
  person int not null,
  action text collate "C" not null,
  detail jsonb,
  primary key (list, rev, object, action)
);
create index history_of on coffer.history (object, rev);

-- Anchors: a client knows the tag of the last number that it has read. A server that was set back does not.
create table coffer.push (
  list int not null,
  rev bigint not null,
  tag uuid not null,
  at timestamptz not null default now(),
  person int not null,
  client uuid not null,
  changes int not null,
  primary key (list, rev)
);

-- The last push of each installation, and its answer: what makes a push happen once.
create table coffer.client (
  id uuid primary key,
  person int not null references coffer.person,
  seq bigint not null default 0,
  tag uuid,
  answer jsonb,
  last_at timestamptz not null default now()
);
create index client_of on coffer.client (person);
`;
