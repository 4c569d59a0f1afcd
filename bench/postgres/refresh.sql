-- All writes of a refresh in one statement: session, revocation, four counters and event. The named parameters are
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
  insert into counters (scope, bucket, starts_at, used)
  select 'tenant:' || tenant_id, 'lifetime', 0, 1 from owned
  union all select scope, 'minute', now - now % 60000, 1 from owned
  union all select scope, 'month', 0, 1 from owned
  union all select 'tenant:' || tenant_id, 'event-ids', 0, 1 from owned
  on conflict (scope, bucket, starts_at) do update set used = counters.used + excluded.used
  returning bucket, used
)
insert into events (id, tenant_id, resource_id, event, user_id, email, metadata, created_at)
select used, tenant_id, resource_id, 'token_refreshed', user_id, 'user@example.com', '{}', now
from moved join counted on counted.bucket = 'event-ids';
