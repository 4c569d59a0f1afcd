-- The last step of `gatehouse partition` (storage/maintenance/partition.ts), in one transaction of milliseconds: the table becomes
-- the first partition, for which its index `events_by_month` and its constraint `events_before` were made without blocking writes.
-- Statements that wait for the lock continue with the new table: PostgreSQL looks up the name again.
{timeout};
lock table events in access exclusive mode;

alter table events rename to {first};
alter table {first} drop constraint events_key;
alter table {first} add constraint {first}_key primary key using index events_by_month;
alter index events_by_user rename to {first}_by_user;

create table events (like {first} including defaults including storage including comments) partition by range (created_at);
alter table events add constraint events_key primary key (resource_id, event, id, tenant_id, created_at);
create index events_by_user on events (resource_id, user_id, id) where user_id is not null;
alter table events attach partition {first} for values from (minvalue) to ({until});
alter table {first} drop constraint events_before;
create table events_default partition of events default;

-- The owner and the rights of other roles.
do $$
declare
  command text;
begin
  for command in
    select format('alter table events owner to %s; alter table events_default owner to %1$s', c.relowner::regrole)
      from pg_class c where c.oid = '{first}'::regclass and c.relowner <> current_user::regrole
    union all
    select format('grant %s on events to %s%s', a.privilege_type,
        case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
        case when a.is_grantable then ' with grant option' else '' end)
      from pg_class c, aclexplode(c.relacl) a where c.oid = '{first}'::regclass and a.grantee <> c.relowner
  loop
    execute command;
  end loop;
end
$$;
