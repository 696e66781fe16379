/** What a client asks before it pulls, and after it has been away. */
export const feed = `
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
`;
