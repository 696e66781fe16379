/** SQL for the area in which an object lies, given columns or parameters. */
export const areaOf = (list: string, identifier: string, classification: string) => `
  select r.id
  from coffer.area r
  where r.list = ${list} and not r.is_removed
    and starts_with(${identifier}, r.prefix) and (r.classification is null or r.classification = ${classification})
  order by r.classification nulls last, octet_length(r.prefix) desc
  limit 1
`;

/** Areas, which group objects, and access to them. Only curators of the whole list change them. */
export const areas = `
create function coffer.area_of(p_list int, p_identifier text, p_class text) returns int
language sql stable security definer set search_path = pg_catalog, pg_temp as $$${areaOf('p_list', 'p_identifier', 'p_class')}$$;

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
`;
