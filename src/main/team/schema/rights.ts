/**
 * Who sees what. A person is a role of the server and a member of `coffer_member`. Members read under row-level
 * security, until `reading.ts` leaves them functions alone, and write only through functions, which go by `session_user`,
 * as SET ROLE does not change it.
 */
export const rights = `
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
`;
