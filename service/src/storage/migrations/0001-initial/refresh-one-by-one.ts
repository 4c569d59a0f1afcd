import { type Kysely, sql } from 'kysely'
import { batch, CLOCKS_DIFFER, columns, fields, parameters } from './refresh-batch.ts'

/**
 * PostgreSQL: decides the refreshes of a batch one by one, in one statement. They share one round trip and one commit, and
 * no lock is held during a round trip (docs/hot-path.md). `refresh-together.ts` calls it if one of the batch is rejected.
 *
 * Each refresh has its own outcome; a rejected one changes nothing. Locks are taken in the order of every other
 * transaction (resources, sessions, the tenants' own counts, then the counts that tenants of one owner share), each kind for
 * the whole batch before the next, and sorted: two batches never deadlock.
 */
export async function refreshOneByOne(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type gatehouse_refresh_v1 as (
      -- The request.
      ${fields},
      -- The result.
      outcome text, resource_id bigint, user_id bigint, created_at bigint, rotated_at bigint,
      absolute_expires_at bigint, used_this_minute bigint, event_id bigint
    )`.execute(db)
  await countingFunctions(db)
  await sql`
    create function gatehouse_refresh_v1(${parameters})
    returns table (
      at bigint, outcome text, resource_id bigint, user_id bigint, email text, name text, picture text,
      first_seen bigint, created_at bigint, rotated_at bigint, absolute_expires_at bigint, used_this_minute bigint
    ) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    #variable_conflict use_column
    declare
      items gatehouse_refresh_v1[];
      item gatehouse_refresh_v1;
      unchanged boolean;
    begin
      items := array(
        select row(${columns}, null, null, null, null, null, null, null, null)::gatehouse_refresh_v1
        from ${batch} order by i.scope, i.tenant_id, i.session_id
      );

      -- The share lock: a deletion of the resource waits for this statement, or this one sees the deletion.
      for i in 1 .. cardinality(items) loop
        item := items[i];
        if i > 1 and items[i - 1].tenant_id = item.tenant_id then
          item.resource_id := items[i - 1].resource_id;
          item.outcome := items[i - 1].outcome;
        else
          select t.owner_account_id is not distinct from item.owner_account_id
              and a.tier is not distinct from item.tier
              and t.expires_at is not distinct from item.expires_at
              and t.paused_at is not distinct from item.paused_at
              and t.suspended_at is null
            into unchanged
            from tenants t left join accounts a on a.id = t.owner_account_id
            where t.id = item.tenant_id;
          select r.id into item.resource_id from resources r
            where r.tenant_id = item.tenant_id and r.kind = 'social-login' and r.status = 'active' for share;
          item.outcome := case
            when unchanged is distinct from true then 'tenant-changed'
            when item.resource_id is null then 'not-provisioned'
          end;
        end if;
        items[i] := item;
      end loop;

      for i in 1 .. cardinality(items) loop
        item := items[i];
        continue when item.outcome is not null;
        select s.user_id, s.created_at, s.rotated_at, s.absolute_expires_at
          into item.user_id, item.created_at, item.rotated_at, item.absolute_expires_at
          from sessions s
          where s.id = item.session_id and s.tenant_id = item.tenant_id and s.resource_id = item.resource_id
            and s.generation = item.generation and s.salt = item.salt
            and s.expires_at > item.now_ms and s.absolute_expires_at > item.now_ms
          for update;
        if item.user_id is null or not exists (
          select 1 from users u where u.id = item.user_id and u.tenant_id = item.tenant_id
            and u.resource_id = item.resource_id
        ) then
          item.outcome := 'not-current';
        end if;
        items[i] := item;
      end loop;

      -- Every event of a tenant updates this row first, so events become visible in the order of their ids.
      for i in 1 .. cardinality(items) loop
        item := items[i];
        continue when item.outcome is not null;
        if gatehouse_count_lifetime_v1('tenant:' || item.tenant_id, item.lifetime_limit) is null then
          item.outcome := 'over-lifetime';
          items[i] := item;
        end if;
      end loop;
      for i in 1 .. cardinality(items) loop
        item := items[i];
        continue when item.outcome is not null;
        select w.outcome, w.used_this_minute into item.outcome, item.used_this_minute
          from gatehouse_count_windows_v1(item.scope, item.minute_start, item.minute_limit, item.month_start,
            item.month_limit, item.now_ms + ${CLOCKS_DIFFER}) as w;
        items[i] := item;
        if item.outcome is not null then
          update event_counts set lifetime_used = lifetime_used - 1 where scope = 'tenant:' || item.tenant_id;
        end if;
      end loop;

      -- No refresh is rejected from here on, so ids have no gaps, and each table is written for all of them at once.
      for i in 1 .. cardinality(items) loop
        item := items[i];
        continue when item.outcome is not null;
        item.event_id := gatehouse_next_event_id_v1('tenant:' || item.tenant_id);
        items[i] := item;
      end loop;
      update sessions s set generation = i.generation + 1, previous_rotated_at = s.rotated_at, rotated_at = i.now_ms,
          expires_at = i.session_expires_at, idempotency_hash = i.idempotency_hash
        from unnest(items) as i where i.outcome is null and s.id = i.session_id and s.tenant_id = i.tenant_id;
      insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
        select i.event_id, i.tenant_id, i.resource_id, 'token_refreshed', i.user_id, u.email, '{}', i.now_ms
        from unnest(items) as i join users u on u.resource_id = i.resource_id and u.id = i.user_id
        where i.outcome is null;
      insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
        select 'session', i.tenant_id, i.session_id, i.generation + 1, i.rotated_at + last_use_after
        from unnest(items) as i
        where i.outcome is null and i.rotated_at + last_use_after > i.now_ms;
      return query
        select i.at, coalesce(i.outcome, 'refreshed'), i.resource_id, i.user_id, u.email, u.name, u.picture,
          u.first_seen, i.created_at, i.rotated_at, i.absolute_expires_at, i.used_this_minute
        from unnest(items) as i left join users u on u.resource_id = i.resource_id and u.id = i.user_id;
    end
    $$`.execute(db)
}

async function countingFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function gatehouse_count_lifetime_v1(in_scope text, in_limit bigint)
    returns bigint language sql as $$
      insert into event_counts (scope, lifetime_used)
        select in_scope, 1 where in_limit is null or in_limit >= 1
      on conflict (scope) do update set lifetime_used = event_counts.lifetime_used + 1
        where in_limit is null or event_counts.lifetime_used < in_limit
      returning lifetime_used
    $$`.execute(db)
  // Ids stay above the floor (lineage.ts).
  await sql`
    create function gatehouse_next_event_id_v1(in_scope text)
    returns bigint language sql as $$
      update event_counts
        set last_event_id = greatest(last_event_id, coalesce((select id_floor from lineage where id = 1), 0)) + 1
        where scope = in_scope
      returning last_event_id
    $$`.execute(db)
  // The limit of a window applies to its authenticated events, which refreshes are. A window starts again at zero unless
  // the row's is current (domain/limits/counter.ts).
  await sql`
    create function gatehouse_count_windows_v1(in_scope text, in_minute bigint, minute_limit bigint, in_month bigint,
      month_limit bigint, latest bigint, out outcome text, out used_this_minute bigint) language plpgsql as $$
    declare
      minute event_counts.minute_authenticated%type := 0;
      month event_counts.month_authenticated%type := 0;
    begin
      insert into event_counts (scope) values (in_scope) on conflict (scope) do nothing;
      select case when c.minute_start between in_minute and latest then c.minute_authenticated else 0 end,
          case when c.month_start between in_month and latest then c.month_authenticated else 0 end
        into minute, month from event_counts c where c.scope = in_scope for update;
      outcome := case when minute >= minute_limit then 'over-minute' when month >= month_limit then 'over-month' end;
      if outcome is not null then return; end if;
      update event_counts c set
          minute_start = case when c.minute_start between in_minute and latest then c.minute_start else in_minute end,
          minute_used = 1 + case when c.minute_start between in_minute and latest then c.minute_used else 0 end,
          minute_authenticated = minute + 1,
          month_start = case when c.month_start between in_month and latest then c.month_start else in_month end,
          month_used = 1 + case when c.month_start between in_month and latest then c.month_used else 0 end,
          month_authenticated = month + 1
        where c.scope = in_scope;
      used_this_minute := minute + 1;
    end
    $$`.execute(db)
}
