/**
 * Members read by functions alone. A policy hides rows, but whoever may query a table has PostgreSQL tell of hidden ones:
 * EXPLAIN estimates by statistics of all rows, and EXPLAIN ANALYZE counts those that an index found and the policy removed.
 * What a function reads must not depend on hidden rows either, because the pages that it touches are counted: each looks
 * up objects by area, or by number.
 */
export const reading = `
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
`;
