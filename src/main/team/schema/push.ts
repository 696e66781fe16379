import { areaOf } from './areas.ts';

/**
 * Merges a member's changes into a list, register by register: bytes (stored last wins), presence (looked last wins), a
 * note and a corrected classification (the first stays, the other is kept apart), and "renew by" (the last wins).
 */
export const push = `
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
      (${areaOf('p_list', 'merged.identifier', 'merged.m_class')}) as m_area
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
`;
