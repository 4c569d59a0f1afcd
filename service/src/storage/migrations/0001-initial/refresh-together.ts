import { type Kysely, sql } from 'kysely'

/**
 * PostgreSQL: runs all refreshes of a batch as one statement (docs/hot-path.md). It assumes that no refresh of the batch
 * is over a limit. If one is, or a session has no user, everything is rolled back and `refresh-one-by-one.ts` decides each
 * refresh separately.
 *
 * Locks are taken in the same order as there, apart from resources, which are only locked in share mode: sorted sessions,
 * then lifetime, minute and month counters. Events get their ids when every lifetime counter of the batch is locked,
 * because they are written after the charges.
 *
 * Users are read without a lock. The deletion of a user ends the sessions first, in the same transaction
 * (operations/users/end-access.ts): either it waits for a session that this statement has locked, or this statement finds
 * the session deleted.
 *
 * The plan is cached, because planning costs more than executing. Sequential scans are disabled, so that a plan made on
 * small tables still uses the indexes when they have grown.
 */
export async function refreshTogether(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function gatehouse_refresh_v2(batch jsonb, last_use_after bigint)
    returns table (
      at integer, outcome text, resource_id bigint, user_id bigint, email text, name text, picture text,
      first_seen bigint, created_at bigint, rotated_at bigint, absolute_expires_at bigint, used_this_minute bigint
    ) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    declare
      is_complete boolean;
      id_floor bigint := coalesce((select l.id_floor from lineage l where l.id = 1), 0);
    begin
      for at, outcome, resource_id, user_id, email, name, picture, first_seen, created_at, rotated_at,
        absolute_expires_at, used_this_minute, is_complete
      in
        -- The share lock: a deletion of the resource waits for this statement, or this one sees the deletion.
        with requested as materialized (
          select i.*, r.id as resource_id, case
              when t.is_unchanged is distinct from true then 'tenant-changed'
              when r.id is null then 'not-provisioned'
            end as rejected
          from (
            select * from jsonb_to_recordset(batch) as i (
              at integer, tenant_id text, owner_account_id bigint, tier text, expires_at bigint, paused_at bigint,
              session_id bigint, generation integer, salt text, now_ms bigint, session_expires_at bigint,
              idempotency_hash text,
              scope text, lifetime_limit bigint, minute_start bigint, minute_limit bigint, month_start bigint,
              month_limit bigint
            ) order by scope, tenant_id, session_id
          ) as i
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
              and s.resource_id = i.resource_id and s.generation = i.generation and s.salt = decode(i.salt, 'hex')
              and s.expires_at > i.now_ms and s.absolute_expires_at > i.now_ms
            returning i.at, i.tenant_id, i.resource_id, i.session_id, s.generation, s.user_id, i.now_ms, s.created_at,
              s.previous_rotated_at, s.absolute_expires_at,
              i.scope, i.lifetime_limit, i.minute_start, i.minute_limit, i.month_start, i.month_limit
        ), costs as (
          select 1 as turn, 'tenant:' || tenant_id as scope, 'lifetime' as bucket, 0::bigint as starts_at,
              count(*) as used, 0::bigint as authenticated, min(lifetime_limit) as most
            from rotated group by tenant_id
          union all
          select 2, scope, 'minute', minute_start, count(*), count(*), min(minute_limit)
            from rotated group by scope, minute_start
          union all
          select 3, scope, 'month', month_start, count(*), count(*), min(month_limit)
            from rotated group by scope, month_start
          union all
          select 4, 'tenant:' || tenant_id, 'event-ids', 0, count(*) + id_floor, 0, null
            from rotated group by tenant_id
        ), charged as (
          insert into counters as c (scope, bucket, starts_at, used, authenticated)
            select scope, bucket, starts_at, used, authenticated from costs order by turn, scope, starts_at
          on conflict (scope, bucket, starts_at) do update
            set used = excluded.used + case excluded.bucket
                when 'event-ids' then greatest(c.used - id_floor, 0) else c.used
              end,
              authenticated = c.authenticated + excluded.authenticated
          returning scope, bucket, starts_at, used, authenticated
        ), exceeded as (
          select from charged c join costs using (scope, bucket, starts_at)
            where case when costs.authenticated > 0 then c.authenticated else c.used end > costs.most
        ), known as (
          -- The limit makes it one lookup of the key for each refresh, whatever the sizes of the tables.
          select m.at, u.* from rotated m cross join lateral (
            select u.email, u.name, u.picture, u.first_seen from users u
              where u.resource_id = m.resource_id and u.id = m.user_id and u.tenant_id = m.tenant_id limit 1
          ) as u where not exists (select from exceeded)
        ), recorded as (
          -- A counter was raised for the whole batch at once; each event gets its own id.
          insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
            select c.used + 1 - row_number() over (partition by m.tenant_id order by m.at desc),
              m.tenant_id, m.resource_id, 'token_refreshed', m.user_id, u.email, '{}', m.now_ms
            from rotated m
              join known u on u.at = m.at
              join charged c on c.scope = 'tenant:' || m.tenant_id and c.bucket = 'event-ids'
        ), published as (
          insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
            select 'session', tenant_id, session_id, generation, previous_rotated_at + last_use_after
            from rotated where previous_rotated_at + last_use_after > now_ms
        )
        select i.at, case when m.at is null then coalesce(i.rejected, 'not-current') else 'refreshed' end, i.resource_id,
            m.user_id, u.email, u.name, u.picture, u.first_seen, m.created_at, m.previous_rotated_at,
            m.absolute_expires_at,
            c.authenticated + 1 - row_number() over (partition by m.scope, m.minute_start order by i.at desc),
            (select count(*) from rotated) = (select count(*) from known)
          from requested i
            left join rotated m on m.at = i.at
            left join known u on u.at = i.at
            left join charged c on c.scope = m.scope and c.bucket = 'minute' and c.starts_at = m.minute_start
      loop
        if not is_complete then raise exception using errcode = 'GH001', message = 'one refresh of the batch is rejected'; end if;
        return next;
      end loop;
    exception when sqlstate 'GH001' then
      return query select * from gatehouse_refresh_v1(batch, last_use_after);
    end
    $$`.execute(db)
}
