/** People, what a list shares, and lists. For curators of the whole list; lists are made by the owner of the schema. */
export const curate = `
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
`;
