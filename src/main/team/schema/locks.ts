/**
 * Only who may write in a list may hold its lock: a member can keep a transaction open, and the lock with it, for as long as
 * they like. So each function asks who it is before it takes the lock, and once more when it has it, as access may be
 * taken away meanwhile.
 */
export const locks = `
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
`;
