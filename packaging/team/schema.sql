-- The schema of a team’s list. Made by `npm run team-schema`: do not edit it.
-- As the owner of an empty database, or of one with an earlier schema: psql --set ON_ERROR_STOP=1 --file schema.sql
-- The owner must be allowed to make roles, or coffer_member must exist.

select to_regclass('coffer.step') is null as is_due \gset
\if :is_due
begin;

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


-- The connected person. NULL if the role is not a member, or its membership has ended.
create function coffer.me() returns int
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select id from coffer.person where role_name = session_user and ended_at is null
$$;

create function coffer.my_areas(p_least smallint) returns int[]
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(area), '{}') from coffer.access where person = coffer.me() and may >= p_least
$$;

-- By area, the number from which on the person is told which objects leave it.
create function coffer.my_since() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_object_agg(area, since_rev), '{}') from coffer.access where person = coffer.me()
$$;

create function coffer.my_lists() returns int[]
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(distinct r.list), '{}')
  from coffer.access a join coffer.area r on r.id = a.area
  where a.person = coffer.me()
$$;

-- The subselect lets PostgreSQL look up the areas once per query. Without it, it does so for each row, which takes 50 times as long.
alter table coffer.object enable row level security;
alter table coffer.moved enable row level security;
alter table coffer.history enable row level security;
create policy read on coffer.object for select to coffer_member
  using (area = any ((select coffer.my_areas(1::smallint))::int[]));
create policy read on coffer.moved for select to coffer_member
  using (rev > ((select coffer.my_since()) ->> area::text)::bigint);
create policy read on coffer.history for select to coffer_member
  using (exists (select from coffer.object o where o.id = history.object));

-- Former members are still members of coffer_member, and must see neither people nor lists.
alter table coffer.person enable row level security;
alter table coffer.list enable row level security;
create policy read on coffer.person for select to coffer_member
  using ((select coffer.me()) is not null);
create policy read on coffer.list for select to coffer_member
  using (id = any ((select coffer.my_lists())::int[]));

grant usage on schema coffer to coffer_member;
grant select on coffer.object, coffer.moved, coffer.history, coffer.person, coffer.list, coffer.step to coffer_member;
grant execute on function coffer.me, coffer.my_areas, coffer.my_since, coffer.my_lists to coffer_member;


create function coffer.area_of(p_list int, p_identifier text, p_class text) returns int
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.id
  from coffer.area r
  where r.list = p_list and not r.is_removed
    and starts_with(p_identifier, r.prefix) and (r.classification is null or r.classification = p_class)
  order by r.classification nulls last, octet_length(r.prefix) desc
  limit 1
$$;

-- The areas of a list that the person has access to, described rather than only numbered, so that clients can show them.
create function coffer.areas_1(p_list int) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', r.id, 'prefix', r.prefix, 'classification', r.classification, 'may', a.may)
    order by r.prefix, r.classification nulls first), '[]')
  from coffer.access a join coffer.area r on r.id = a.area
  where a.person = coffer.me() and r.list = p_list and not r.is_removed
$$;

-- The curators of the whole list: of the area that contains everything that is in no other.
create function coffer.curators(p_list int) returns setof int
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.person
  from coffer.access a join coffer.area r on r.id = a.area
  where a.may = 3 and r.list = p_list and r.prefix = '' and r.classification is null
$$;

create function coffer.require_curator(p_list int) returns int
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_me int := coffer.me();
begin
  if v_me is null or not v_me in (select coffer.curators(p_list)) then
    raise exception 'no curator' using errcode = '42501';
  end if;
  return v_me;
end $$;

-- Locks the list until the commit, and raises an error unless the person curates it. Checked only once the lock is held: their
-- access may be taken away while they wait for it.
create function coffer.curate(p_list int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('lock_timeout', '10s', true);
  perform from coffer.feed where list = p_list for update;
  return coffer.require_curator(p_list);
end $$;

create function coffer.access_changed(p_list int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update coffer.feed set access_rev = access_rev + 1 where list = p_list;
  perform pg_notify('coffer_' || p_list, 'access');
end $$;

-- Creates an area, or restores a removed one. tend_1 moves its objects into it later, because that can take minutes.
-- @param p_access [[person, may]]; curators of the whole list always get access
create function coffer.set_area_1(p_list int, p_prefix text, p_class text, p_access jsonb default '[]') returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id int;
begin
  perform coffer.curate(p_list);
  if (select count(*) from coffer.area where list = p_list) >= 1000 then
    raise exception 'too many areas' using errcode = '54000';
  end if;
  insert into coffer.area (list, prefix, classification) values (p_list, p_prefix, p_class)
    on conflict (list, prefix, classification) do update set is_removed = false where area.is_removed
    returning id into v_id;
  if v_id is null then
    raise exception 'the area is there' using errcode = '23505';
  end if;
  delete from coffer.access where area = v_id;
  insert into coffer.access (area, person, may, since_rev)
    select v_id, g.person, max(g.may), (select rev from coffer.feed where list = p_list)
    from (
      select person, 3 as may from coffer.curators(p_list) as person
      union all
      select (each->>0)::int, (each->>1)::int from jsonb_array_elements(p_access) as each
    ) g
    group by g.person;
  update coffer.feed set unsettled_after = 0 where list = p_list;
  perform coffer.access_changed(p_list);
  return v_id;
end $$;

-- Only marks the area. tend_1 moves its objects to the areas in which they lie without it, and then deletes it.
create function coffer.remove_area_1(p_area int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_area coffer.area;
begin
  select * into strict v_area from coffer.area where id = p_area and not is_removed;
  perform coffer.curate(v_area.list);
  if v_area.prefix = '' and v_area.classification is null then
    raise exception 'the area of the whole list' using errcode = '23001';
  end if;
  update coffer.area set is_removed = true where id = p_area;
  update coffer.feed set unsettled_after = 0 where list = v_area.list;
  perform coffer.access_changed(v_area.list);
end $$;

-- @param p_may as in coffer.access; 0 takes access away
create function coffer.set_access_1(p_area int, p_person int, p_may smallint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_list int;
begin
  select list into strict v_list from coffer.area where id = p_area and not is_removed;
  perform coffer.curate(v_list);
  if p_may > 0 then
    -- Keeps since and since_rev of existing access: another since would make clients fetch the whole area again.
    insert into coffer.access (area, person, may, since_rev)
      select p_area, p_person, p_may, rev from coffer.feed where list = v_list
      on conflict (person, area) do update set may = excluded.may;
  else
    delete from coffer.access where area = p_area and person = p_person;
  end if;
  if not exists (select from coffer.curators(v_list) as c join coffer.person p on p.id = c where p.ended_at is null) then
    raise exception 'the last curator' using errcode = '23000';
  end if;
  perform coffer.access_changed(v_list);
end $$;

grant execute on function coffer.areas_1, coffer.set_area_1, coffer.remove_area_1, coffer.set_access_1 to coffer_member;


-- Of one moment: the head of the feed, whether the client's last number still means what it read, and what it may see. No row: no member.
create function coffer.hello_1(p_list int, p_rev bigint, p_tag uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object(
    'me', coffer.me(),
    'epoch', f.epoch,
    'rev', f.rev,
    'accessRev', f.access_rev,
    'nowMs', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
    'tag', (select tag from coffer.push where list = p_list and rev = f.rev),
    'known', p_rev = 0 or exists (select from coffer.push where list = p_list and rev = p_rev and tag = p_tag),
    -- Whether this person is a curator, and there is work for tend_1.
    'tend', (f.unsettled_after is not null or f.trimmed_at < now() - interval '1 day')
      and coffer.me() in (select coffer.curators(p_list)),
    'areas', (
      select jsonb_object_agg(a.area, jsonb_build_array(a.may, a.since))
      from coffer.access a join coffer.area r on r.id = a.area
      where a.person = coffer.me() and r.list = p_list
    )
  )
  from coffer.feed f
  where f.list = p_list and coffer.me() is not null
$$;

-- Where a client that has read up to a number stops next: a number that was the last of a push, so that its tag shows later whether it still
-- means the same. As far as 5,000 numbers go, or to the end of a push of more.
create function coffer.next_1(p_list int, p_rev bigint) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('epoch', f.epoch, 'rev', p.rev, 'tag', p.tag)
  from coffer.push p join coffer.feed f on f.list = p.list
  where p.list = p_list and coffer.me() is not null and p.rev = coalesce(
    (select max(rev) from coffer.push where list = p_list and rev > p_rev and rev <= p_rev + 5000),
    (select min(rev) from coffer.push where list = p_list and rev > p_rev)
  )
$$;

-- The newest of the client's anchors that this server has: 0 if none.
create function coffer.common_1(p_list int, p_revs bigint[], p_tags uuid[]) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(max(p.rev), 0)
  from unnest(p_revs, p_tags) as k(rev, tag)
  join coffer.push p on p.list = p_list and p.rev = k.rev and p.tag = k.tag
  where coffer.me() is not null
$$;

grant execute on function coffer.hello_1, coffer.next_1, coffer.common_1 to coffer_member;


-- Adds or changes the person of an existing role. NULL leaves the name, or whether the membership has ended, unchanged. An ended member
-- can neither read nor write, but their name stays in the history. People belong to all lists of the database, so the caller must curate
-- each list that the person has access to.
create function coffer.set_person_1(p_list int, p_role name, p_shown text, p_ended boolean, p_made boolean default false) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id int;
  v_list int;
begin
  for v_list in
    select p_list
    union
    select r.list
    from coffer.person p join coffer.access a on a.person = p.id join coffer.area r on r.id = a.area
    where p.role_name = p_role
    order by 1
  loop
    perform coffer.curate(v_list);
    perform coffer.access_changed(v_list);
  end loop;
  insert into coffer.person (role_name, shown, ended_at, is_made)
    values (p_role, coalesce(p_shown, p_role), case when p_ended then now() end, p_made)
    on conflict (role_name) do update set
      shown = coalesce(p_shown, person.shown),
      ended_at = case when p_ended is null then person.ended_at when p_ended then coalesce(person.ended_at, now()) end,
      is_made = person.is_made or p_made,
      has_own_password = person.has_own_password and not p_made
    returning id into v_id;
  if p_ended and exists (
    select from coffer.access a join coffer.area r on r.id = a.area
    where a.person = v_id and r.prefix = '' and r.classification is null and a.may = 3
      and not exists (
        select from coffer.curators(r.list) as c join coffer.person p on p.id = c where p.ended_at is null)
  ) then
    raise exception 'the last curator' using errcode = '23000';
  end if;
  return v_id;
end $$;

-- Records that the person no longer uses their invitation's password, so that inviting them again does not replace it. Called in the
-- transaction that replaces that password, or after joining with another one.
create function coffer.own_password_1() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('lock_timeout', '10s', true);
  update coffer.person set has_own_password = true where id = coffer.me() and not has_own_password;
end $$;

-- NULL leaves a setting unchanged. What is no longer shared is deleted here at once. Clients see a new access_rev, read the list's settings
-- and drop others' secrets. Notes and file names are fields of rows that stay, so a new epoch makes clients read all rows again and drop
-- those of others.
create function coffer.set_list_1(p_list int, p_secrets boolean, p_notes boolean, p_names boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform coffer.curate(p_list);
  if not p_notes and (select shares_notes from coffer.list where id = p_list)
    or not p_names and (select shares_names from coffer.list where id = p_list) then
    update coffer.feed set epoch = gen_random_uuid() where list = p_list;
  end if;
  update coffer.list set
    shares_secrets = coalesce(p_secrets, shares_secrets),
    secrets_since = case when not p_secrets then gen_random_uuid() else secrets_since end,
    shares_notes = coalesce(p_notes, shares_notes),
    shares_names = coalesce(p_names, shares_names)
  where id = p_list;
  if not p_secrets then
    delete from coffer.history h using coffer.object o where o.list = p_list and o.kind = 1 and h.object = o.id;
    delete from coffer.object where list = p_list and kind = 1;
    delete from coffer.moved where list = p_list and kind = 1;
  end if;
  if not p_notes then
    update coffer.object set note = '' where list = p_list and note <> '';
    delete from coffer.history where list = p_list and action in ('noteChanged', 'noteKeptApart');
  end if;
  if not p_names then
    update coffer.object set source_name = null where list = p_list and source_name is not null;
  end if;
  perform coffer.access_changed(p_list);
end $$;

-- What curators see of a list: its areas, who has which access to each, and all people.
create function coffer.curation_1(p_list int) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform coffer.require_curator(p_list);
  return (
    with counted as materialized (
      select
        area,
        count(*) filter (where not is_forgotten) as objects,
        count(*) filter (where kind = 1 and not is_forgotten) as secrets,
        count(*) filter (where note <> '') as notes,
        count(source_name) as names
      from coffer.object
      where list = p_list
      group by area
    )
    select jsonb_build_object(
      'id', l.id,
      'me', coffer.me(),
      'name', l.name,
      'origin', l.origin,
      'shares', jsonb_build_object('secrets', l.shares_secrets, 'notes', l.shares_notes, 'fileNames', l.shares_names),
      'holds', (
        select jsonb_build_object(
          'secrets', coalesce(sum(secrets), 0), 'notes', coalesce(sum(notes), 0), 'fileNames', coalesce(sum(names), 0)
        )
        from counted
      ),
      'unsettled', case when f.unsettled_after is not null then
        (select count(*) from coffer.object where list = p_list and id > f.unsettled_after) end,
      'areas', (
        select jsonb_agg(
          jsonb_build_object(
            'id', r.id, 'prefix', r.prefix, 'classification', r.classification, 'objects', coalesce(c.objects, 0),
            'access', (
              select coalesce(jsonb_agg(jsonb_build_array(a.person, a.may) order by a.person), '[]')
              from coffer.access a where a.area = r.id
            )
          )
          order by r.prefix, r.classification nulls first
        )
        from coffer.area r left join counted c on c.area = r.id
        where r.list = p_list and not r.is_removed
      ),
      'people', (
        select jsonb_agg(
          jsonb_build_object(
            'id', id, 'shown', shown, 'role', role_name,
            'sinceMs', floor(extract(epoch from since) * 1000)::bigint,
            'endedMs', floor(extract(epoch from ended_at) * 1000)::bigint
          )
          order by id
        )
        from coffer.person
      )
    )
    from coffer.list l join coffer.feed f on f.list = l.id
    where l.id = p_list
  );
end $$;

-- For use after tables were restored in part or repaired by hand: all clients read the whole list again, and push again
-- everything that they have pushed.
create function coffer.new_epoch_1(p_list int) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_me int := coffer.curate(p_list);
  v_epoch uuid := gen_random_uuid();
begin
  update coffer.feed set epoch = v_epoch where list = p_list;
  -- With the old anchors clients would find that the server has all they have pushed, and push nothing again.
  delete from coffer.push where list = p_list;
  insert into coffer.push (list, rev, tag, person, client, changes)
    select p_list, rev, gen_random_uuid(), v_me, gen_random_uuid(), 0 from coffer.feed where list = p_list and rev > 0;
  perform pg_notify('coffer_' || p_list, 'access');
  return v_epoch;
end $$;

-- This and create_list_1 are for the schema's owner alone, so they are granted to nobody. Gives a list a curator, even if it has none left.
create function coffer.name_curator_1(p_list int, p_role name, p_shown text, p_made boolean) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_person int;
begin
  perform from coffer.feed where list = p_list for update;
  insert into coffer.person (role_name, shown, is_made) values (p_role, p_shown, p_made)
    on conflict (role_name) do update set
      ended_at = null,
      is_made = person.is_made or p_made,
      has_own_password = person.has_own_password and not p_made
    returning id into v_person;
  insert into coffer.access (area, person, may, since_rev)
    select r.id, v_person, 3, f.rev
    from coffer.area r join coffer.feed f on f.list = r.list
    where r.list = p_list and r.prefix = '' and r.classification is null
    on conflict (person, area) do update set may = 3;
  perform coffer.access_changed(p_list);
end $$;

create function coffer.create_list_1(
  p_name text, p_origin text, p_separator text, p_mark text, p_role name, p_shown text, p_made boolean default false
) returns int
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_list int;
begin
  insert into coffer.list (name, origin, separator, version_mark) values (p_name, p_origin, p_separator, p_mark) returning id into v_list;
  insert into coffer.feed (list) values (v_list);
  insert into coffer.area (list) values (v_list);
  perform coffer.name_curator_1(v_list, p_role, p_shown, p_made);
  return v_list;
end $$;

grant execute on function coffer.set_person_1, coffer.own_password_1, coffer.set_list_1, coffer.curation_1, coffer.new_epoch_1 to coffer_member;


-- Checks the next 20,000 objects after p_after, and moves those that now belong to another area; each move gets its own number. Once
-- there are no more objects, removed areas are empty, and are deleted.
create function coffer.settle_areas(p_list int, p_after bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_rev bigint;
  v_count int;
  v_last bigint;
begin
  select rev into v_rev from coffer.feed where list = p_list;
  with page as materialized (
    select id, kind, identifier, area, coffer.area_of(p_list, identifier, classification) as now_area
    from coffer.object
    where list = p_list and id > p_after
    order by id
    limit 20000
  ), n as materialized (
    select page.*, v_rev + row_number() over (order by id) as rev from page where area is distinct from now_area
  ), went as (
    insert into coffer.moved select p_list, rev, id, kind, identifier, area from n
  ), put as (
    update coffer.object o set area = n.now_area, rev = n.rev from n where o.id = n.id
  )
  select (select count(*) from n), (select max(id) from page) into v_count, v_last;
  if v_count > 0 then
    insert into coffer.push (list, rev, tag, person, client, changes)
      values (p_list, v_rev + v_count, gen_random_uuid(), coffer.me(), gen_random_uuid(), v_count);
    perform pg_notify('coffer_' || p_list, (v_rev + v_count)::text);
  end if;
  update coffer.feed set rev = v_rev + v_count, unsettled_after = v_last where list = p_list;
  if v_last is null then
    delete from coffer.area where list = p_list and is_removed;
    perform coffer.access_changed(p_list);
  end if;
end $$;

-- Deletes what only clients that were away for more than 90 days would need. Those no longer find their anchor here, and read the
-- whole list again.
create function coffer.trim_list(p_list int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_to bigint;
begin
  select max(rev) into v_to from coffer.push
    where list = p_list and at < now() - interval '90 days' and rev < (select rev from coffer.feed where list = p_list);
  delete from coffer.push where list = p_list and rev <= v_to;
  delete from coffer.moved where list = p_list and rev <= v_to;
  with gone as (
    delete from coffer.object where list = p_list and is_forgotten and rev <= v_to returning id
  )
  delete from coffer.history h using gone where h.object = gone.id;
  delete from coffer.client c where last_at < now() - interval '90 days'
    and exists (select from coffer.access a join coffer.area r on r.id = a.area where a.person = c.person and r.list = p_list);
  update coffer.feed set trimmed_at = now() where list = p_list;
end $$;

-- Does one slice of the maintenance. Any curator's computer calls it when hello_1 reports work, until it returns false: nothing is left
-- to do, or the person no longer curates the list.
create function coffer.tend_1(p_list int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_feed coffer.feed;
begin
  perform set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '10s', true);
  select * into v_feed from coffer.feed where list = p_list for update;
  if coffer.me() is null or not coffer.me() in (select coffer.curators(p_list)) then
    return false;
  end if;
  if v_feed.unsettled_after is not null then
    perform coffer.settle_areas(p_list, v_feed.unsettled_after);
  elsif v_feed.trimmed_at < now() - interval '1 day' then
    perform coffer.trim_list(p_list);
  else
    return false;
  end if;
  return true;
end $$;

grant execute on function coffer.tend_1 to coffer_member;


-- Applies each push exactly once: the last sequence number, tag and answer of each client are stored, and a repeated push gets
-- the stored answer.
-- @param p_before the tag of this client's previous push. If it differs from the stored one, another copy of the client has
-- pushed, and the error is 55000.
-- @returns {rev, tag, refused: [[n, reason]], kept: [[n, field]], older: [n], sharesNotes, epoch}; n is the position of a change,
-- from 1
create function coffer.push_1(p_list int, p_client uuid, p_seq bigint, p_before uuid, p_tag uuid, p_changes jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_me int;
  v_list coffer.list;
  v_feed coffer.feed;
  v_client coffer.client;
  v_answer jsonb;
  v_rev bigint;
  -- Not the client's tag: a server restored from a backup may apply the same push again under the same number, but after other
  -- changes, and clients must be able to tell the two apart.
  v_tag uuid := gen_random_uuid();
  v_count int;
  v_now bigint;
  v_mine int[];
  v_curated int[];
begin
  if jsonb_typeof(p_changes) is distinct from 'array' or jsonb_array_length(p_changes) not between 1 and 1000
    or octet_length(p_changes::text) > 4194304 then
    raise exception 'size of the batch' using errcode = '22023';
  end if;
  perform set_config('synchronous_commit', 'on', true), set_config('lock_timeout', '10s', true);

  -- Locks the list until the commit. The person is looked up only then, because their membership may end while they wait.
  select * into v_feed from coffer.feed where list = p_list for update;
  v_me := coffer.me();
  if v_me is null then
    raise exception 'no member' using errcode = '42501';
  end if;
  v_now := floor(extract(epoch from clock_timestamp()) * 1000);
  if v_feed.list is null then
    raise exception 'no list' using errcode = '22023';
  end if;
  select * into v_list from coffer.list where id = p_list;

  insert into coffer.client (id, person) values (p_client, v_me) on conflict do nothing;
  select * into v_client from coffer.client where id = p_client for update;
  if v_client.person <> v_me then
    raise exception 'client of somebody else' using errcode = '42501';
  end if;
  if (select count(*) from coffer.client where person = v_me) > 100 then
    raise exception 'too many clients of one person' using errcode = '54000';
  end if;
  -- This push was applied, but its answer did not arrive.
  if v_client.seq = p_seq and v_client.tag = p_tag then
    return v_client.answer;
  end if;
  if v_client.seq <> p_seq - 1 or v_client.tag is distinct from p_before then
    raise exception 'another copy of this client has pushed' using errcode = '55000';
  end if;

  v_mine := coffer.my_areas(2::smallint);
  v_curated := coffer.my_areas(3::smallint);
  with change as (
    select
      x.*,
      least(coalesce(x.seen_ms, 0), v_now) as seen,
      case when x.stored_ms is not null then least(x.stored_ms, v_now) end as stored,
      coalesce((x.parts->>'manifestBytes')::bigint, x.length_bytes) as there
    from rows from (
      jsonb_to_recordset(p_changes) as (
        kind smallint, identifier text, state smallint, seen_ms bigint,
        incarnation uuid, length_bytes bigint, sha256 text, classification text, source_name text, stored_ms bigint, parts jsonb,
        class_base text, sets_class boolean, note text, note_base text, renew_by date, sets_renew boolean, forget boolean
      )
    ) with ordinality as x (
      kind, identifier, state, seen_ms,
      incarnation, length_bytes, sha256, classification, source_name, stored_ms, parts,
      class_base, sets_class, note, note_base, renew_by, sets_renew, forget, n
    )
  ), meeting as (
    select
      c.*,
      o.id as o_id, o.area as o_area, o.state as o_state, o.seen_ms as o_seen, o.seen_by as o_seen_by, o.bytes_ms as o_bytes,
      o.incarnation as o_inc, o.length_bytes as o_len, o.sha256 as o_sha, o.classification as o_class, o.source_name as o_name,
      o.stored_ms as o_stored, o.stored_by as o_stored_by, o.parts as o_parts, coalesce(o.note, '') as o_note,
      o.renew_by as o_renew, coalesce(o.is_forgotten, false) as o_forgotten,
      -- Which bytes win. A new incarnation does if it was stored later. Bytes that were merely found do if they were seen later,
      -- and differ in length from the known ones or were found after those had been deleted.
      case
        when o.id is null then 'new'
        when c.incarnation = o.incarnation then 'same'
        when c.incarnation is not null and o.incarnation is null
          and coalesce(c.there = coalesce((o.parts->>'manifestBytes')::bigint, o.length_bytes), true) then 'new'
        when c.incarnation is not null and c.stored > o.bytes_ms then 'new'
        when c.incarnation is not null then 'older'
        when c.state = 0 and c.seen > o.seen_ms and c.seen > o.bytes_ms
          and (o.state = 5 and o.seen_ms > o.bytes_ms
            or c.there <> coalesce((o.parts->>'manifestBytes')::bigint, o.length_bytes)) then 'other'
        else 'same'
      end as bytes
    from change c
    -- The limit forces an index lookup per change. Without it, a session that was planned when the list was small scans the
    -- whole list on each push.
    left join lateral (
      select * from coffer.object where list = p_list and kind = c.kind and identifier = c.identifier limit 1
    ) o on true
  ), merged as (
    select
      meeting.*,
      case bytes when 'new' then coalesce(stored, seen) when 'other' then seen else o_bytes end as m_bytes,
      case bytes when 'new' then incarnation when 'other' then null else o_inc end as m_inc,
      case bytes when 'new' then length_bytes when 'other' then length_bytes
        else coalesce(o_len, case when bytes = 'same' then length_bytes end) end as m_len,
      case bytes when 'new' then decode(sha256, 'hex') when 'other' then null
        else coalesce(o_sha, case when bytes = 'same' and incarnation is not distinct from o_inc then decode(sha256, 'hex') end)
      end as m_sha,
      case
        when bytes = 'new' then classification
        when sets_class and (o_class is not distinct from class_base or o_class is not distinct from classification)
          then classification
        else o_class
      end as m_class,
      case bytes when 'new' then source_name when 'other' then null else coalesce(o_name, source_name) end as m_name,
      case bytes when 'new' then stored when 'other' then null else o_stored end as m_stored,
      case bytes when 'new' then case when incarnation is not null then v_me end when 'other' then null else o_stored_by
      end as m_stored_by,
      case bytes when 'new' then parts when 'other' then null else coalesce(o_parts, case when bytes = 'same' then parts end)
      end as m_parts,
      (o_id is null or seen > o_seen) and coalesce(state, 2) <> 2 as m_takes,
      v_list.shares_notes and note is not null and o_note <> coalesce(note_base, '') and o_note <> note as note_conflict,
      coalesce(sets_class, false) and bytes <> 'new'
        and o_class is distinct from class_base and o_class is distinct from classification as class_conflict
    from meeting
  ), placed as materialized (
    select
      merged.*,
      case when m_takes then state else coalesce(o_state, state, 2) end as m_state,
      -- Inlined: a thousand calls of area_of took a fifth of the time of a push.
      (
  select r.id
  from coffer.area r
  where r.list = p_list and not r.is_removed
    and starts_with(merged.identifier, r.prefix) and (r.classification is null or r.classification = merged.m_class)
  order by r.classification nulls last, octet_length(r.prefix) desc
  limit 1
) as m_area
    from merged
  ), verdict as (
    select placed.*, case
      when m_area is null or not m_area = any (v_mine) or (o_area is not null and not o_area = any (v_mine)) then 'forbidden'
      when kind = 1 and not v_list.shares_secrets then 'secrets'
      -- Decided by the merged values, including this change's own bytes and presence: a client sends all that it has to tell of
      -- an object as one change.
      when coalesce(sets_class, false) and o_id is not null and m_stored_by is distinct from v_me
        and not o_area = any (v_curated) then 'forbidden'
      when coalesce(forget, false) and not (o_id is null or m_state in (3, 5) or o_area = any (v_curated)) then 'forbidden'
    end as refusal
    from placed
  ), good as materialized (
    select
      *,
      v_feed.rev + row_number() over (order by n) as m_rev,
      coalesce(o_id, nextval('coffer.object_id')) as m_id
    from verdict
    where refusal is null
  ), put as (
    insert into coffer.object as t (
      id, list, kind, identifier, rev, area,
      state,
      seen_ms,
      seen_by,
      bytes_ms, incarnation, length_bytes, sha256, classification, source_name, stored_ms, stored_by, parts,
      note,
      renew_by,
      is_forgotten
    )
    select
      m_id, p_list, kind, identifier, m_rev, m_area,
      m_state,
      case when m_takes then seen else coalesce(o_seen, seen) end,
      case when m_takes then v_me else coalesce(o_seen_by, v_me) end,
      m_bytes, m_inc, m_len, m_sha, m_class, case when v_list.shares_names then m_name end, m_stored, m_stored_by, m_parts,
      case when note is null or note_conflict or not v_list.shares_notes then o_note else note end,
      case when sets_renew then renew_by else o_renew end,
      case when m_takes and state = 0 then false when forget then true else o_forgotten end
    from good
    on conflict (list, kind, identifier) do update set
      rev = excluded.rev, area = excluded.area,
      state = excluded.state, seen_ms = excluded.seen_ms, seen_by = excluded.seen_by,
      bytes_ms = excluded.bytes_ms, incarnation = excluded.incarnation, length_bytes = excluded.length_bytes,
      sha256 = excluded.sha256, classification = excluded.classification, source_name = excluded.source_name,
      stored_ms = excluded.stored_ms, stored_by = excluded.stored_by, parts = excluded.parts,
      note = excluded.note, renew_by = excluded.renew_by, is_forgotten = excluded.is_forgotten
  ), said as (
    insert into coffer.history (list, rev, object, at_ms, person, action, detail)
    select p_list, g.m_rev, g.m_id, v_now, v_me, h.action, h.detail
    from good g
    -- UNION ALL instead of VALUES, whose expressions PostgreSQL would prepare again for each object. That took longer than
    -- writing the rows.
    cross join lateral (
      select
        case
          when g.bytes = 'new' and g.incarnation is not null then 'stored'
          when g.bytes = 'older' then 'storedBefore'
          when g.bytes = 'other' then 'foundOther'
          when g.o_id is null then 'added'
        end,
        case
          when g.bytes in ('new', 'other') and g.o_id is not null then jsonb_strip_nulls(jsonb_build_object(
            'incarnation', g.o_inc, 'lengthBytes', g.o_len, 'sha256', encode(g.o_sha, 'hex'), 'classification', g.o_class,
            'storedMs', g.o_stored, 'storedBy', g.o_stored_by))
          when g.bytes = 'older' then jsonb_strip_nulls(jsonb_build_object(
            'incarnation', g.incarnation, 'lengthBytes', g.length_bytes, 'sha256', g.sha256, 'storedMs', g.stored))
        end
      union all select
        case when g.m_takes and g.o_id is not null and g.state is distinct from g.o_state then
          case g.state when 3 then 'foundMissing' when 5 then 'deleted' when 0 then 'foundThere' end
        end,
        null
      union all select
        case when v_list.shares_notes and g.note is not null and g.note <> g.o_note then
          case when g.note_conflict then 'noteKeptApart' else 'noteChanged' end
        end,
        jsonb_build_object('before', g.o_note, 'now', g.note)
      union all select
        case when g.sets_class and g.classification is distinct from g.o_class then
          case when g.class_conflict then 'classificationKeptApart' else 'classificationChanged' end
        end,
        jsonb_build_object('before', g.o_class, 'now', g.classification)
      union all select case when g.forget then 'forgotten' end, null
    ) as h (action, detail)
    where h.action is not null
  ), went as (
    insert into coffer.moved
    select p_list, m_rev, m_id, kind, identifier, o_area from good where o_area <> m_area
  )
  select
    jsonb_build_object(
      'refused', coalesce(
        (select jsonb_agg(jsonb_build_array(n, refusal) order by n) from verdict where refusal is not null), '[]'),
      'kept', coalesce(
        (select jsonb_agg(jsonb_build_array(n, case when note_conflict then 'note' else 'classification' end) order by n)
          from good where note_conflict or class_conflict), '[]'),
      'older', coalesce((select jsonb_agg(n order by n) from good where bytes = 'older'), '[]'),
      'sharesNotes', v_list.shares_notes,
      'epoch', v_feed.epoch
    ),
    (select count(*) from good)
  into v_answer, v_count;

  v_rev := v_feed.rev + v_count;
  v_answer := v_answer || jsonb_build_object('rev', v_rev, 'tag', v_tag);
  if v_count > 0 then
    update coffer.feed set rev = v_rev where list = p_list;
    insert into coffer.push (list, rev, tag, person, client, changes) values (p_list, v_rev, v_tag, v_me, p_client, v_count);
    perform pg_notify('coffer_' || p_list, v_rev::text);
  end if;
  update coffer.client set seq = p_seq, tag = p_tag, answer = v_answer, last_at = now() where id = p_client;
  return v_answer;
end $$;

grant execute on function coffer.push_1 to coffer_member;

revoke execute on all functions in schema coffer from public;

insert into coffer.step (number, digest) values (1, '8df4697ab631243950f4e8395ce86127b2437e7e27c46c80e1bc9b070616bbc0');

commit;

\endif


select not exists (select from coffer.step where number = 2) as is_due \gset
\if :is_due
begin;

-- Members may read in an open transaction. Waiting for them any longer, these changes would keep everybody out.
set local lock_timeout = '10s';

create or replace function coffer.curate(p_list int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform coffer.require_curator(p_list);
  perform set_config('lock_timeout', '10s', true);
  perform from coffer.feed where list = p_list for update;
  return coffer.require_curator(p_list);
end $$;

create or replace function coffer.tend_1(p_list int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_feed coffer.feed;
begin
  if coffer.me() is null or not coffer.me() in (select coffer.curators(p_list)) then
    return false;
  end if;
  perform coffer.curate(p_list), set_config('synchronous_commit', 'on', true);
  select * into v_feed from coffer.feed where list = p_list;
  if v_feed.unsettled_after is not null then
    perform coffer.settle_areas(p_list, v_feed.unsettled_after);
  elsif v_feed.trimmed_at < now() - interval '1 day' then
    perform coffer.trim_list(p_list);
  else
    return false;
  end if;
  return true;
end $$;

create function coffer.may_write(p_list int) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from coffer.access a join coffer.area r on r.id = a.area where a.person = coffer.me() and a.may >= 2 and r.list = p_list)
$$;

alter function coffer.push_1 rename to apply_push;
revoke execute on function coffer.apply_push from coffer_member;

-- Hands a push of somebody who may write in the list to apply_push. All changes of another member are refused, in an answer that says
-- nothing of the list; it is stored like other answers, so that their next push follows it.
create function coffer.push_1(p_list int, p_client uuid, p_seq bigint, p_before uuid, p_tag uuid, p_changes jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_me int := coffer.me();
  v_client coffer.client;
  v_answer jsonb;
begin
  if v_me is null then
    raise exception 'no member' using errcode = '42501';
  end if;
  if coffer.may_write(p_list) then
    v_answer := coffer.apply_push(p_list, p_client, p_seq, p_before, p_tag, p_changes);
    if not coffer.may_write(p_list) then
      raise exception 'no access any more' using errcode = '42501';
    end if;
    return v_answer;
  end if;

  if jsonb_array_length(p_changes) > 1000 then
    raise exception 'size of the batch' using errcode = '22023';
  end if;
  perform set_config('lock_timeout', '10s', true);
  insert into coffer.client (id, person) values (p_client, v_me) on conflict do nothing;
  select * into v_client from coffer.client where id = p_client and person = v_me for update;
  if v_client.id is null then
    raise exception 'client of somebody else' using errcode = '42501';
  end if;
  if (select count(*) from coffer.client where person = v_me) > 100 then
    raise exception 'too many clients of one person' using errcode = '54000';
  end if;
  if v_client.seq = p_seq and v_client.tag = p_tag then
    return v_client.answer;
  end if;
  if v_client.seq <> p_seq - 1 or v_client.tag is distinct from p_before then
    raise exception 'another copy of this client has pushed' using errcode = '55000';
  end if;
  select jsonb_build_object(
    'refused', coalesce(jsonb_agg(jsonb_build_array(n, 'forbidden') order by n), '[]'),
    'kept', '[]'::jsonb, 'older', '[]'::jsonb, 'sharesNotes', false,
    'epoch', '00000000-0000-0000-0000-000000000000', 'rev', 0, 'tag', gen_random_uuid()
  ) into v_answer from jsonb_array_elements(p_changes) with ordinality as change (value, n);
  update coffer.client set seq = p_seq, tag = p_tag, answer = v_answer, last_at = now() where id = p_client;
  return v_answer;
end $$;

grant execute on function coffer.push_1 to coffer_member;

revoke execute on all functions in schema coffer from public;

insert into coffer.step (number, digest) values (2, 'd39d5b2fbc735b01a2756e70c7ae4d34e61b96831de12a84110c70096d0b6a50');

commit;

\endif


select not exists (select from coffer.step where number = 3) as is_due \gset
\if :is_due
begin;

set local lock_timeout = '10s';
set local statement_timeout = 0;

-- In a database that comes from PostgreSQL 14 or older everybody may make tables there.
do $$ begin
  revoke create on schema public from public;
exception when insufficient_privilege or invalid_schema_name then
  null;
end $$;

-- Row-level security stays on: without policies nobody reads but the owner, whatever an administrator grants.
drop policy read on coffer.object;
drop policy read on coffer.moved;
drop policy read on coffer.history;
drop policy read on coffer.person;
drop policy read on coffer.list;
revoke select on coffer.object, coffer.moved, coffer.history, coffer.person, coffer.list from coffer_member;

create index object_of_area on coffer.object (area, kind, identifier);

-- Who has ever had access to a list. Those who have it now know them by name, also once they have lost it.
create table coffer.known (
  list int not null references coffer.list on delete cascade,
  person int not null references coffer.person on delete cascade,
  primary key (list, person)
);
insert into coffer.known
  select distinct l.id, p.id
  from (
    select r.list, a.person from coffer.access a join coffer.area r on r.id = a.area
    union select list, person from coffer.push
    union select list, person from coffer.history
    union select list, seen_by from coffer.object
    union select list, stored_by from coffer.object
  ) k (list, person) join coffer.person p on p.id = k.person join coffer.list l on l.id = k.list;

create function coffer.know() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into coffer.known select list, new.person from coffer.area where id = new.area on conflict do nothing;
  return null;
end $$;
create trigger know after insert on coffer.access for each row execute function coffer.know();

-- The lists that the person has access to. secretsSince: null where no secrets are shared.
create function coffer.lists_1() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', id, 'name', name, 'origin', origin, 'separator', separator, 'versionMark', version_mark,
      'sharesSecrets', shares_secrets, 'sharesNotes', shares_notes, 'sharesNames', shares_names,
      'secretsSince', case when shares_secrets then secrets_since end)
    order by name), '[]')
  from coffer.list where id = any (coffer.my_lists())
$$;

-- [[number, name, whether they were ended]] of the person, and of those who are known in their lists.
create function coffer.people_1() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_array(id, shown, ended_at is not null) order by id), '[]')
  from coffer.person
  where id = coffer.me() or id in (select person from coffer.known where list = any (coffer.my_lists()))
$$;

-- Whether the connected role, a curator, may know all of a person: of a list of theirs, or of none yet.
create function coffer.may_curate(p_person int) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from coffer.list l where coffer.me() in (select coffer.curators(l.id))
    and (exists (select from coffer.known where list = l.id and person = p_person)
      or not exists (select from coffer.known where person = p_person)))
$$;

-- {role, isMade, hasOwnPassword} of a person, by number or role. For themselves, their curators and the owner of the schema.
create function coffer.person_1(p_person int, p_role name) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('role', role_name, 'isMade', is_made, 'hasOwnPassword', has_own_password)
  from coffer.person
  where (id = p_person or role_name = p_role)
    and (id = coffer.me() or coffer.may_curate(id) or pg_has_role(session_user, current_user, 'usage'))
$$;

-- What curators see of a list, with the people whom they may know.
alter function coffer.curation_1 rename to curation_of;
revoke execute on function coffer.curation_of from coffer_member;
create function coffer.curation_1(p_list int) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_curation jsonb := coffer.curation_of(p_list);
begin
  return v_curation || jsonb_build_object('people', (
    select jsonb_agg(person order by n)
    from jsonb_array_elements(v_curation -> 'people') with ordinality as each (person, n)
    where coffer.may_curate((person ->> 'id')::int)
  ));
end $$;

-- The objects of a list with numbers from p_after to p_upto, in their order.
create function coffer.rows_1(p_list int, p_after bigint, p_upto bigint, p_most int) returns setof coffer.object
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select * from coffer.object
  where list = p_list and rev > p_after and rev <= p_upto and area = any ((select coffer.my_areas(1::smallint))::int[])
  order by rev limit p_most
$$;

-- The objects of areas after a kind and identifier, in their order. Where the areas are all of the list, nothing is hidden, and the list is
-- read in its own order. Otherwise those of each area are.
create function coffer.fill_1(p_list int, p_areas int[], p_kind smallint, p_identifier text, p_most int) returns setof coffer.object
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_areas int[] := array(
    select id from coffer.area where list = p_list and id = any (p_areas) and id = any (coffer.my_areas(1::smallint)));
begin
  if (select count(*) from coffer.area where list = p_list) = cardinality(v_areas) then
    return query select * from coffer.object
      where list = p_list and (kind, identifier) > (p_kind, p_identifier)
      order by kind, identifier limit p_most;
  else
    return query select o.* from unnest(v_areas) as a (area)
      cross join lateral (
        select * from coffer.object
        where object.area = a.area and (kind, identifier) > (p_kind, p_identifier)
        order by kind, identifier limit p_most
      ) o
      order by o.kind, o.identifier limit p_most;
  end if;
end $$;

-- The objects that have left an area of the person's with numbers from p_after to p_upto, in their order.
create function coffer.moved_1(p_list int, p_after bigint, p_upto bigint, p_most int) returns setof coffer.moved
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select * from coffer.moved
  where list = p_list and rev > p_after and rev <= p_upto and rev > ((select coffer.my_since()) ->> area::text)::bigint
  order by rev limit p_most
$$;

-- What happened to an object, newest first. Who may read it may read all of it.
create function coffer.history_1(p_list int, p_kind smallint, p_identifier text, p_most int) returns setof coffer.history
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select h.* from unnest(coffer.my_areas(1::smallint)) as a (area)
  cross join lateral (
    select id from coffer.object where object.area = a.area and kind = p_kind and identifier = p_identifier limit 1
  ) o
  join coffer.history h on h.object = o.id
  where h.list = p_list
  order by h.rev desc, h.action limit p_most
$$;

-- Who has no access to a list gets back what they said, whether or not there is such a list: if they read it once, their copy is told that
-- they see nothing now, and nothing of what has happened since.
create or replace function coffer.hello_1(p_list int, p_rev bigint, p_tag uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object(
    'me', coffer.me(),
    'epoch', f.epoch,
    'rev', f.rev,
    'accessRev', f.access_rev,
    'nowMs', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
    'tag', (select tag from coffer.push where list = p_list and rev = f.rev),
    'known', p_rev = 0 or exists (select from coffer.push where list = p_list and rev = p_rev and tag = p_tag),
    -- Whether this person is a curator, and there is work for tend_1.
    'tend', (f.unsettled_after is not null or f.trimmed_at < now() - interval '1 day')
      and coffer.me() in (select coffer.curators(p_list)),
    'areas', (
      select jsonb_object_agg(a.area, jsonb_build_array(a.may, a.since))
      from coffer.access a join coffer.area r on r.id = a.area
      where a.person = coffer.me() and r.list = p_list
    )
  )
  from coffer.feed f
  where f.list = p_list and p_list = any (coffer.my_lists())
  union all
  select jsonb_build_object(
    'me', coffer.me(),
    'epoch', coalesce(
      (select f.epoch from coffer.feed f join coffer.push p on p.list = f.list
        where f.list = p_list and p.rev = p_rev and p.tag = p_tag),
      '00000000-0000-0000-0000-000000000000'),
    'rev', p_rev,
    'accessRev', 0,
    'nowMs', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
    'tag', p_tag,
    'known', true,
    'tend', false,
    'areas', null
  )
  where coffer.me() is not null and not p_list = any (coffer.my_lists())
$$;

create or replace function coffer.next_1(p_list int, p_rev bigint) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('epoch', f.epoch, 'rev', p.rev, 'tag', p.tag)
  from coffer.push p join coffer.feed f on f.list = p.list
  where p.list = p_list and p_list = any (coffer.my_lists()) and p.rev = coalesce(
    (select max(rev) from coffer.push where list = p_list and rev > p_rev and rev <= p_rev + 5000),
    (select min(rev) from coffer.push where list = p_list and rev > p_rev)
  )
$$;

create or replace function coffer.common_1(p_list int, p_revs bigint[], p_tags uuid[]) returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(max(p.rev), 0)
  from unnest(p_revs, p_tags) as k(rev, tag)
  join coffer.push p on p.list = p_list and p.rev = k.rev and p.tag = k.tag
  where p_list = any (coffer.my_lists())
$$;

grant execute on function coffer.lists_1, coffer.people_1, coffer.person_1, coffer.rows_1, coffer.fill_1, coffer.moved_1,
  coffer.history_1, coffer.curation_1 to coffer_member;

revoke execute on all functions in schema coffer from public;

insert into coffer.step (number, digest) values (3, '12cb97002307b3668e09501fc8462b9b459cbbd3061a5bd18f74d3c014256248');

commit;

\endif
