-- All writes of a refresh in one statement: session, revocation, two rows of counts and event. The named parameters are
-- pgbench's. It enforces no limit and creates no token, so it does less than the service.
with input as (
  select cast(:session as bigint) as session, cast(:now as bigint) as now
), moved as (
  update sessions
  set generation = generation + 1, previous_rotated_at = rotated_at, rotated_at = now, expires_at = now + 2592000000
  from input
  where id = session and generation > 0 and expires_at > now and absolute_expires_at > now
  returning id, tenant_id, resource_id, user_id, generation, previous_rotated_at, now
), owned as (
  select moved.*, 'account:' || tenants.owner_account_id as scope from moved join tenants on tenants.id = moved.tenant_id
), revoked as (
  insert into revocations (kind, tenant_id, subject_id, generation, until_ms)
  select 'session', tenant_id, id, generation, previous_rotated_at + 3720000 from moved
), counted as (
  insert into event_counts (scope, minute_start, minute_used, month_used, lifetime_used, last_event_id)
  select 'tenant:' || tenant_id, 0, 0, 0, 1, 1 from owned
  union all select scope, now - now % 60000, 1, 1, 0, 0 from owned
  on conflict (scope) do update set
    minute_start = greatest(event_counts.minute_start, excluded.minute_start),
    minute_used = excluded.minute_used
      + case when event_counts.minute_start < excluded.minute_start then 0 else event_counts.minute_used end,
    month_used = event_counts.month_used + excluded.month_used,
    lifetime_used = event_counts.lifetime_used + excluded.lifetime_used,
    last_event_id = event_counts.last_event_id + excluded.last_event_id
  returning last_event_id
)
insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
select last_event_id, tenant_id, resource_id, 'token_refreshed', user_id, 'user@example.com', '{}', now
from moved join counted on last_event_id > 0;
