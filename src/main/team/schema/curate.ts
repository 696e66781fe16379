/** Areas, access and persons; what a list shares. Only by curators of the whole list, and by the owner of the schema who makes a list. */
export const curate = `
create function coffer.area_of(p_list int, p_identifier text, p_class text) returns int
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.id
  from coffer.area r
  where r.list = p_list and starts_with(p_identifier, r.prefix) and (r.classification is null or r.classification = p_class)
  order by r.classification nulls last, octet_length(r.prefix) desc
  limit 1
$$;

-- What a person may see of a list, in words.
create function coffer.areas_1(p_list int) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', r.id, 'prefix', r.prefix, 'classification', r.classification, 'may', a.may)
    order by r.prefix, r.classification nulls first), '[]')
  from coffer.access a join coffer.area r on r.id = a.area
  where a.person = coffer.me() and r.list = p_list
$$;

-- Who curates the area that all else lies in.
create function coffer.curators(p_list int) returns setof int
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.person
  from coffer.access a join coffer.area r on r.id = a.area
  where a.may = 3 and r.list = p_list and r.prefix = '' and r.classification is null
$$;

-- Holds the list until the commit, and refuses who does not curate it. In this order: their access may be taken while they wait.
create function coffer.curate(p_list int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_me int;
begin
  perform set_config('lock_timeout', '10s', true);
  perform from coffer.feed where list = p_list for update;
  v_me := coffer.me();
  if v_me is null or not v_me in (select coffer.curators(p_list)) then
    raise exception 'no curator' using errcode = '42501';
  end if;
  return v_me;
end $$;

create function coffer.access_changed(p_list int) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update coffer.feed set access_rev = access_rev + 1 where list = p_list;
  perform pg_notify('coffer_' || p_list, 'access');
end $$;

-- The objects that belong to it now are given to it by settle_areas_1.
create function coffer.set_area_1(p_list int, p_prefix text, p_class text) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id int;
begin
  perform coffer.curate(p_list);
  if (select count(*) from coffer.area where list = p_list) >= 1000 then
    raise exception 'too many areas' using errcode = '54000';
  end if;
  insert into coffer.area (list, prefix, classification) values (p_list, p_prefix, p_class) returning id into v_id;
  insert into coffer.access (area, person, may) select v_id, person, 3 from coffer.curators(p_list) as person;
  perform coffer.access_changed(p_list);
  return v_id;
end $$;

-- @param p_may 0 takes access away
create function coffer.set_access_1(p_area int, p_person int, p_may smallint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_list int;
begin
  select list into strict v_list from coffer.area where id = p_area;
  perform coffer.curate(v_list);
  if p_may > 0 then
    -- Who has access already has fetched the area, and need not do so again.
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

-- Looks at the next 20,000 objects, and gives those their area whose area is another now, each with a number of its own.
-- @returns where to go on; NULL: that was the last
create function coffer.settle_areas_1(p_list int, p_after bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_me int := coffer.curate(p_list);
  v_rev bigint;
  v_count int;
  v_last bigint;
begin
  perform set_config('synchronous_commit', 'on', true);
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
    update coffer.feed set rev = v_rev + v_count where list = p_list;
    insert into coffer.push (list, rev, tag, person, client, changes)
      values (p_list, v_rev + v_count, gen_random_uuid(), v_me, gen_random_uuid(), v_count);
    perform pg_notify('coffer_' || p_list, (v_rev + v_count)::text);
  end if;
  return v_last;
end $$;

-- Of a role that is there. Ended: from now on they see and write nothing; their name stays in history. A person belongs to all lists of
-- the database, so it takes a curator of each list that the person has access to.
create function coffer.set_person_1(p_list int, p_role name, p_shown text, p_ended boolean) returns int
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
  insert into coffer.person (role_name, shown, ended_at) values (p_role, p_shown, case when p_ended then now() end)
    on conflict (role_name) do update set shown = excluded.shown, ended_at = excluded.ended_at
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

-- What is not shared any more leaves the server at once. Clients read the row of the list when its access_rev has moved, and take theirs away.
create function coffer.set_list_1(p_list int, p_secrets boolean, p_notes boolean, p_names boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform coffer.curate(p_list);
  update coffer.list set shares_secrets = p_secrets, shares_notes = p_notes, shares_names = p_names where id = p_list;
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

-- Forgets what nobody needs who was here in the last 90 days. Whoever was away for longer begins anew, as the tag of what they know is gone.
create function coffer.trim_1(p_list int) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_to bigint;
begin
  perform coffer.curate(p_list);
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
  return v_to;
end $$;

-- After a copy of the server was put back: all clients compare what they know.
create function coffer.new_epoch_1(p_list int) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_epoch uuid := gen_random_uuid();
begin
  perform coffer.curate(p_list);
  update coffer.feed set epoch = v_epoch where list = p_list;
  perform pg_notify('coffer_' || p_list, 'access');
  return v_epoch;
end $$;

-- By the owner of the schema: nobody else may execute it.
create function coffer.create_list_1(p_name text, p_origin text, p_separator text, p_mark text, p_role name, p_shown text) returns int
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_list int;
  v_area int;
  v_person int;
begin
  insert into coffer.person (role_name, shown) values (p_role, p_shown)
    on conflict (role_name) do update set ended_at = null
    returning id into v_person;
  insert into coffer.list (name, origin, separator, version_mark) values (p_name, p_origin, p_separator, p_mark) returning id into v_list;
  insert into coffer.feed (list) values (v_list);
  insert into coffer.area (list) values (v_list) returning id into v_area;
  insert into coffer.access (area, person, may) values (v_area, v_person, 3);
  return v_list;
end $$;

grant execute on function coffer.areas_1, coffer.set_area_1, coffer.set_access_1, coffer.settle_areas_1, coffer.set_person_1, coffer.set_list_1,
  coffer.trim_1, coffer.new_epoch_1 to coffer_member;
`;
