import { type Kysely, sql } from 'kysely'
import { batch, CLOCKS_DIFFER, parameters } from './refresh-batch.ts'

/**
 * PostgreSQL: runs all refreshes of a batch as one statement (docs/hot-path.md), and assumes that none is over a limit. If
 * some are, or their session has no user, the statement is rolled back and runs again without them: each refresh has its
 * own outcome, and a rejected one changes nothing. Of the refreshes that share a limit, the first in the batch are within it.
 *
 * Locks are taken in the order of every other transaction, each kind for the whole batch before the next, and sorted, so
 * that two batches never deadlock: resources in share mode, sessions, the tenants' own counts, then the counts that tenants
 * of one owner share. A statement that is rolled back releases its locks. Events get their ids when the own counts of every
 * tenant of the batch are locked, because they are written after the charges.
 *
 * Users are read without a lock. The deletion of a user ends the sessions first, in the same transaction
 * (operations/users/block-user.ts): either it waits for a session that this statement has locked, or this statement finds
 * the session deleted.
 *
 * The plan is cached, because planning costs more than executing. Sequential scans are disabled, so that a plan made on
 * small tables still uses the indexes when they have grown.
 */
export async function refreshTogether(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function gatehouse_refresh_v2(${parameters})
    returns table (
      at bigint, outcome text, resource_id bigint, user_id bigint, email text, name text, picture text,
      first_seen bigint, created_at bigint, rotated_at bigint, absolute_expires_at bigint, used_this_minute bigint
    ) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    declare
      latest bigint := (select max(now_ms) from unnest(in_now_ms) as now_ms) + ${CLOCKS_DIFFER};
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
              from (select * from ${batch} order by scope, tenant_id, session_id) as i
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
              insert into event_counts as c (scope, minute_start, minute_used, minute_authenticated, month_start, month_used,
                  month_authenticated, lifetime_used, last_event_id)
                select scope, minute_start, used, used, month_start, used, used, numbered,
                    case numbered when 0 then 0 else numbered + coalesce((select id_floor from lineage where id = 1), 0) end
                  from costs order by turn, shared, scope
              on conflict (scope) do update set
                ${addedTo('minute')}, ${addedTo('month')},
                lifetime_used = c.lifetime_used + excluded.lifetime_used,
                last_event_id = greatest(c.last_event_id + excluded.lifetime_used, excluded.last_event_id)
              returning scope, minute_authenticated, month_authenticated, lifetime_used, last_event_id
            ), counted as (
              -- Counts were raised for the whole batch at once; each refresh gets its own id and its own place in each count.
              -- The limit makes it one lookup of a user's key for each refresh, whatever the sizes of the tables.
              select m.*, u.*, own.last_event_id + 1 - row_number() over of_tenant as event_id,
                  shared.minute_authenticated + 1 - row_number() over of_scope as used_this_minute,
                  case when u.email is null then 'not-current'
                    when own.lifetime_used + 1 - row_number() over of_tenant > m.lifetime_limit then 'over-lifetime'
                    when shared.minute_authenticated + 1 - row_number() over of_scope > m.minute_limit then 'over-minute'
                    when shared.month_authenticated + 1 - row_number() over of_scope > m.month_limit then 'over-month'
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
                c.absolute_expires_at, c.used_this_minute, c.reason
              from requested i left join counted c on c.at = i.at
              order by c.reason nulls last
          loop
            first_reason := coalesce(first_reason, reason);
            -- One reason at a time, in the order of domain/limits/allowance.ts, which is alphabetical: a refresh that is
            -- rejected for the first takes no place in the counts of the next.
            exit when reason is distinct from first_reason;
            if reason is null then return next; else reasons[at] := reason; end if;
          end loop;
          if first_reason is null then return; end if;
          raise exception using errcode = 'GH001', message = 'some refreshes of the batch are rejected';
        exception when sqlstate 'GH001' then null;
        end;
      end loop;
    end
    $$`.execute(db)
}

/** Adds to the window of a row. One that is not current starts again at zero (domain/limits/counter.ts). */
function addedTo(window: 'minute' | 'month') {
  const isCurrent = `c.${window}_start between excluded.${window}_start and latest`
  return sql.raw(`${window}_start = case when ${isCurrent} then c.${window}_start else excluded.${window}_start end,
    ${window}_used = excluded.${window}_used + case when ${isCurrent} then c.${window}_used else 0 end,
    ${window}_authenticated = excluded.${window}_authenticated
      + case when ${isCurrent} then c.${window}_authenticated else 0 end`)
}
