/** Maintenance of a list. Its progress is stored here, so that any curator's computer can continue it. */
export const tend = `
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
`;
