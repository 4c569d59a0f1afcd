-- The functions of PostgreSQL, a function after those that it calls. storage/postgres/functions.ts fills in the {names}.

-- Runs all refreshes of a batch as one statement (docs/hot-path.md), and assumes that none is over a limit. If some are, or
-- their session has no user, the statement is rolled back and runs again without them: each refresh has its own outcome,
-- and a rejected one changes nothing. Of the refreshes that share a limit, the first in the batch are within it.
--
-- The same rule decides on SQLite in storage/sqlite/refresh.ts: change both together.
-- service/test/sessions/generated-refreshes.test.ts compares them.
-- domain/sessions/replay.ts decides about a token that is no longer current.
--
-- Locks are taken in the order of every other transaction, each kind for the whole batch before the next, and sorted, so
-- that two batches never deadlock: resources in share mode, sessions, the tenants' own counts, then the counts that tenants
-- of one owner share. A statement that is rolled back releases its locks. Events get their ids when the own counts of every
-- tenant of the batch are locked, because they are written after the charges.
--
-- Users are read without a lock. The deletion of a user ends the sessions first, in the same transaction
-- (operations/users/block-user.ts): either it waits for a session that this statement has locked, or this statement finds
-- the session deleted.
--
-- Each column of the batch is an array, which costs less than JSON, because PostgreSQL reads it by type and not by name; `at`
-- counts from 1. storage/postgres/refresh.ts sends them in this order.
--
-- The plan is cached, because planning costs more than executing. Sequential scans are disabled, so that a plan made on
-- small tables still uses the indexes when they have grown.
create or replace function gatehouse_refresh_v2(
  in_tenant_id text[], in_owner_account_id bigint[], in_tier text[], in_expires_at bigint[], in_paused_at bigint[],
  in_session_id bigint[], in_generation integer[], in_salt bytea[], in_now_ms bigint[],
  in_session_expires_at bigint[], in_idempotency_hash text[], in_scope text[], in_lifetime_limit bigint[],
  in_minute_start bigint[], in_minute_limit bigint[], in_month_start bigint[], in_month_limit bigint[],
  last_use_after bigint
)
returns table (
  at bigint, outcome text, resource_id bigint, user_id bigint, email text, name text, picture text,
  first_seen bigint, created_at bigint, rotated_at bigint, absolute_expires_at bigint, used_this_minute bigint
) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  latest bigint := (select max(now_ms) from unnest(in_now_ms) as now_ms) + {clocks_differ_ms};
  -- Of rejected refreshes, by their place in the batch; of this row; and the first of this statement.
  reasons text[] := '{}';
  reason text;
  first_reason text;
begin
  loop
    first_reason := null;
    begin
      for at, outcome, resource_id, user_id, email, name, picture, first_seen, created_at, rotated_at,
        absolute_expires_at, used_this_minute, reason
      in
        -- The share lock: a deletion of the resource waits for this statement, or this one sees the deletion.
        with requested as materialized (
          select i.*, 'tenant:' || i.tenant_id as own, r.id as resource_id, coalesce(reasons[i.at], case
              when t.is_unchanged is distinct from true then 'tenant-changed'
              when r.id is null then 'not-provisioned'
            end) as rejected
          from (select * from unnest(
            in_tenant_id, in_owner_account_id, in_tier, in_expires_at, in_paused_at, in_session_id, in_generation,
            in_salt, in_now_ms, in_session_expires_at, in_idempotency_hash, in_scope, in_lifetime_limit,
            in_minute_start, in_minute_limit, in_month_start, in_month_limit
          ) with ordinality as i (
            tenant_id, owner_account_id, tier, expires_at, paused_at, session_id, generation, salt, now_ms,
            session_expires_at, idempotency_hash, scope, lifetime_limit, minute_start, minute_limit, month_start,
            month_limit, at
          ) order by scope, tenant_id, session_id) as i
          left join lateral (
            select t.owner_account_id is not distinct from i.owner_account_id
                and a.tier is not distinct from i.tier
                and t.expires_at is not distinct from i.expires_at
                and t.paused_at is not distinct from i.paused_at
                and t.suspended_at is null as is_unchanged
              from tenants t left join accounts a on a.id = t.owner_account_id
              where t.id = i.tenant_id
          ) as t on true
          left join lateral (
            select r.id from resources r
              where r.tenant_id = i.tenant_id and r.kind = 'social-login' and r.status = 'active' for share
          ) as r on true
        ), rotated as (
          update sessions s set generation = i.generation + 1, previous_rotated_at = s.rotated_at, rotated_at = i.now_ms,
              expires_at = i.session_expires_at, idempotency_hash = i.idempotency_hash
            from requested i
            where i.rejected is null and s.id = i.session_id and s.tenant_id = i.tenant_id
              and s.resource_id = i.resource_id and s.generation = i.generation and s.salt = i.salt
              and s.expires_at > i.now_ms and s.absolute_expires_at > i.now_ms
            returning i.at, i.tenant_id, i.resource_id, i.session_id, s.generation, s.user_id, i.now_ms, s.created_at,
              s.previous_rotated_at, s.absolute_expires_at,
              i.own, i.scope, i.lifetime_limit, i.minute_start, i.minute_limit, i.month_start, i.month_limit
        ), costs as (
          -- A guest's own row also has its minute and month. The windows of a batch may differ, as those of two instances:
          -- all refreshes of a row count in the latest.
          select 1 as turn, scope as shared, own as scope, count(*) as numbered,
              case when scope = own then count(*) else 0 end as used,
              case when scope = own then max(minute_start) else 0 end as minute_start,
              case when scope = own then max(month_start) else 0 end as month_start
            from rotated group by scope, own
          union all
          select 2, scope, scope, 0, count(*), max(minute_start), max(month_start)
            from rotated where scope <> own group by scope
        ), charged as (
          -- A refresh is no login start; those of a window that ends are forgotten.
          insert into event_counts as c (scope, minute_start, minute_used, minute_authenticated, month_start, month_used,
              month_authenticated, lifetime_used, last_event_id)
            select scope, minute_start, used, used, month_start, used, used, numbered,
                case numbered when 0 then 0 else numbered + coalesce((select id_floor from lineage where id = 1), 0) end
              from costs order by turn, shared, scope
          on conflict (scope) do update set
            -- A window that is not current starts again at zero (domain/limits/counter.ts).
            minute_start = case when c.minute_start between excluded.minute_start and latest then c.minute_start else excluded.minute_start end,
            minute_used = excluded.minute_used + case when c.minute_start between excluded.minute_start and latest then c.minute_used else 0 end,
            minute_login_starts = case when c.minute_start between excluded.minute_start and latest then c.minute_login_starts else 0 end,
            minute_authenticated = excluded.minute_authenticated
              + case when c.minute_start between excluded.minute_start and latest then c.minute_authenticated else 0 end,
            month_start = case when c.month_start between excluded.month_start and latest then c.month_start else excluded.month_start end,
            month_used = excluded.month_used + case when c.month_start between excluded.month_start and latest then c.month_used else 0 end,
            month_login_starts = case when c.month_start between excluded.month_start and latest then c.month_login_starts else 0 end,
            month_authenticated = excluded.month_authenticated
              + case when c.month_start between excluded.month_start and latest then c.month_authenticated else 0 end,
            lifetime_used = c.lifetime_used + excluded.lifetime_used,
            last_event_id = greatest(c.last_event_id + excluded.lifetime_used, excluded.last_event_id)
          returning scope, minute_used, minute_authenticated, month_used, month_authenticated, lifetime_used, last_event_id
        ), counted as (
          -- Counts were raised for the whole batch at once; each refresh gets its own id and its own place in each count.
          -- A refresh is rejected when its window is full and the sign-ins and refreshes have used the half that no other event
          -- can take from them (domain/limits/allowance.ts): of 5 events these are 2.
          -- The limit makes it one lookup of a user's key for each refresh, whatever the sizes of the tables.
          select m.*, u.*, own.last_event_id + 1 - row_number() over of_tenant as event_id,
              least(shared.minute_used, shared.minute_authenticated + m.minute_limit - m.minute_limit / 2)
                + 1 - row_number() over of_scope as used_this_minute,
              case when u.email is null then 'not-current'
                when own.lifetime_used + 1 - row_number() over of_tenant > m.lifetime_limit then 'over-lifetime'
                when shared.minute_used + 1 - row_number() over of_scope > m.minute_limit
                  and shared.minute_authenticated + 1 - row_number() over of_scope > m.minute_limit / 2 then 'over-minute'
                when shared.month_used + 1 - row_number() over of_scope > m.month_limit
                  and shared.month_authenticated + 1 - row_number() over of_scope > m.month_limit / 2 then 'over-month'
              end as reason
            from rotated m
              join charged own on own.scope = m.own
              join charged shared on shared.scope = m.scope
              left join lateral (
                select u.email, u.name, u.picture, u.first_seen from users u
                  where u.resource_id = m.resource_id and u.id = m.user_id and u.tenant_id = m.tenant_id limit 1
              ) as u on true
            window of_tenant as (partition by m.scope, m.own order by m.at desc),
              of_scope as (partition by m.scope order by m.at desc)
        ), recorded as (
          insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
            select event_id, tenant_id, resource_id, 'token_refreshed', user_id, email, '{}', now_ms from counted
        ), published as (
          insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
            select 'session', tenant_id, session_id, generation, previous_rotated_at + last_use_after
            from rotated where previous_rotated_at + last_use_after > now_ms
        )
        select i.at, case when c.at is null then coalesce(i.rejected, 'not-current') else 'refreshed' end, i.resource_id,
            c.user_id, c.email, c.name, c.picture, c.first_seen, c.created_at, c.previous_rotated_at,
            c.absolute_expires_at, c.used_this_minute,
            -- The first that is rejected reached the limit, and those after it leave the counts as they are.
            case when c.reason is not null
              then first_value(c.reason) over (partition by i.scope, c.email is null order by c.reason is null, c.at)
            end as reason
          from requested i left join counted c on c.at = i.at
          order by reason nulls last
      loop
        first_reason := coalesce(first_reason, reason);
        -- One reason at a time, sessions without a user first: a refresh that is rejected now takes no place in the counts
        -- of the next statement.
        exit when reason is distinct from first_reason;
        if reason is null then return next; else reasons[at] := reason; end if;
      end loop;
      if first_reason is null then return; end if;
      raise exception using errcode = 'GH001', message = 'some refreshes of the batch are rejected';
    exception when sqlstate 'GH001' then null;
    end;
  end loop;
end
$$;

-- Starts a new history: no id of the former one is assigned again, and verify refuses the sessions that only the former one
-- has. Their ids follow the last one here, or are missing among the last thousand, because commits are out of order.
-- Sequences of other owners in this schema are not ours.
--
-- The floor for the ids of users and events is one number for all tenants, rounded up, so that it tells a tenant little about
-- the others (domain/lineage.ts). The former mark becomes the first ancestor, with the position where its history ended.
create or replace function gatehouse_new_lineage_v1(
  in_system text, in_timeline bigint, skip bigint, tokens_expire_after bigint
) returns table (lost_first bigint, lost_last bigint, new_floor bigint, new_mark text)
language plpgsql as $$
declare
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  cut bigint := coalesce((select max(s.id) from sessions s), 0);
  ended_at text := '';
begin
  begin
    ended_at := coalesce(pg_last_wal_replay_lsn(), pg_current_wal_lsn())::text;
  exception when feature_not_supported or insufficient_privilege then null;
  end;
  perform setval(format('%I.%I', q.schemaname, q.sequencename)::regclass, coalesce(q.last_value, 0) + skip)
    from pg_sequences q join pg_class c on c.oid = 'lineage'::regclass
    where q.schemaname = c.relnamespace::regnamespace::text and q.sequenceowner = c.relowner::regrole::text;
  lost_first := cut + 1;
  lost_last := currval(pg_get_serial_sequence('sessions', 'id'));
  insert into revocations (kind, tenant_id, subject_id, last_id, until_ms)
    select 'sessions-lost', '*', gap.first, gap.last, now_ms + tokens_expire_after
    from (
      select lost_first as first, lost_last as last
      union all
      select near.id + 1, lead(near.id) over (order by near.id) - 1
        from (
          select s.id from sessions s where s.id > cut - 1000
          union all select greatest(cut - 1000, 0)
        ) as near
    ) as gap
    where gap.first <= gap.last;
  new_floor := greatest(
    coalesce((select max(c.used) from counters c where c.bucket like '%-ids'), 0),
    coalesce((select max(c.last_event_id) from event_counts c), 0),
    coalesce((select l.id_floor from lineage l where l.id = 1), 0)
  );
  new_floor := (new_floor + ({floor_unit} - 1)) / {floor_unit} * {floor_unit} + skip;
  new_mark := gen_random_uuid()::text;
  insert into lineage as l (id, system_id, timeline, mark, since_ms, id_floor)
    values (1, in_system, in_timeline, new_mark, now_ms, new_floor)
  on conflict (id) do update
    set system_id = excluded.system_id, timeline = excluded.timeline, mark = excluded.mark,
      since_ms = excluded.since_ms, id_floor = excluded.id_floor,
      ancestors = array_to_string((array[l.mark || '@' || ended_at] || string_to_array(l.ancestors, ' '))[:100], ' '); -- Of three months, with a failover a day.
  return next;
end
$$

-- The timeline of the current WAL file is right as soon as a standby is promoted; that of pg_control_checkpoint is late.
-- A server that has no WAL functions keeps timeline 0: its storage loses no commit.
create or replace function gatehouse_server_v1(out system_id text, out timeline bigint) language plpgsql as $$
begin
  system_id := (select c.system_identifier::text from pg_control_system() c);
  timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
exception when feature_not_supported or insufficient_privilege then
  system_id := '';
  timeline := 0;
end
$$

-- True on a server with this lineage, an error on another one. Behind a pooler in transaction mode, transactions of one connection may
-- reach different servers, of which one is a former primary.
create or replace function gatehouse_is_lineage_v1(expected text) returns boolean stable language plpgsql as $$
begin
  if (select l.mark from lineage l where l.id = 1) is distinct from expected then
    raise exception using errcode = 'object_not_in_prerequisite_state', message = 'this PostgreSQL server is not the primary';
  end if;
  return true;
end
$$

-- Called on every new connection before its first use (storage/postgres/connection/server-client.ts). The first call on a new
-- timeline starts a new lineage; concurrent calls wait for it. It skips ids as `idsToSkip` does (domain/lineage.ts).
create or replace function gatehouse_fence_v2(tokens_expire_after bigint default 3720000)
returns table (system_id text, timeline bigint, mark text, ancestors text, since_ms bigint, former_timeline bigint,
  lost_first bigint, lost_last bigint, id_floor bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  known lineage;
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  if pg_is_in_recovery() then
    raise exception using errcode = 'cannot_connect_now', message = 'this PostgreSQL server is a standby: it is in recovery';
  end if;
  select s.system_id, s.timeline into system_id, timeline from gatehouse_server_v1() s;
  select * into known from lineage where id = 1;
  if (known.system_id, known.timeline) is distinct from (system_id, timeline) then
    lock table lineage in share row exclusive mode;
    select * into known from lineage where id = 1;
  end if;
  if known.id is null then
    insert into lineage (id, system_id, timeline, mark, since_ms, id_floor)
      values (1, system_id, timeline, gen_random_uuid()::text, now_ms, 0);
  elsif known.system_id = system_id and known.timeline > timeline then
    raise exception using errcode = 'cannot_connect_now',
      message = format('this PostgreSQL server is on timeline %s, its data on timeline %s', timeline, known.timeline);
  elsif (known.system_id, known.timeline) <> (system_id, timeline) then
    former_timeline := known.timeline;
    select n.lost_first, n.lost_last, n.new_floor into lost_first, lost_last, id_floor
      from gatehouse_new_lineage_v1(system_id, timeline, {skipped_ids} + {ids_per_ms} * greatest(0, now_ms - greatest(
        known.since_ms, (select s.created_at from sessions s order by s.id desc limit 1))), tokens_expire_after) n;
  end if;
  select l.mark, l.ancestors, l.since_ms into mark, ancestors, since_ms from lineage l where l.id = 1;
  return next;
end
$$

-- Called by instances of earlier releases, and by a pooler's connect_query. The number of ids to skip is no longer theirs.
create or replace function gatehouse_fence_v1(skip bigint default 1000000, tokens_expire_after bigint default 3720000)
returns table (system_id text, timeline bigint, mark text, former_timeline bigint, lost_first bigint,
  lost_last bigint, id_floor bigint)
language sql as $$
  select f.system_id, f.timeline, f.mark, f.former_timeline, f.lost_first, f.lost_last, f.id_floor
    from gatehouse_fence_v2(tokens_expire_after) f
$$
