-- The last step of `gatehouse partition` for a table (storage/maintenance/partition.ts), in one transaction of milliseconds: the
-- table becomes the first partition, for which its index `{table}_by_month` and its constraint `{table}_before` were made without
-- blocking writes. Statements that wait for the lock continue with the new table: PostgreSQL looks up the name again.
{timeout};
lock table {table} in access exclusive mode;

alter table {table} rename to {first};
alter table {first} drop constraint {table}_key;
alter table {first} add constraint {first}_key primary key using index {table}_by_month;
{rename_indexes};

create table {table} (like {first} including defaults including storage including comments) partition by range (created_at);
alter table {table} add constraint {table}_key primary key ({key});
{create_indexes};
alter table {table} attach partition {first} for values from (minvalue) to ({until});
alter table {first} drop constraint {table}_before;
create table {table}_default partition of {table} default;

-- The owner and the rights of other roles.
do $$
declare
  command text;
begin
  for command in
    select format('alter table {table} owner to %s; alter table {table}_default owner to %1$s', c.relowner::regrole)
      from pg_class c where c.oid = '{first}'::regclass and c.relowner <> current_user::regrole
    union all
    select format('grant %s on {table} to %s%s', a.privilege_type,
        case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
        case when a.is_grantable then ' with grant option' else '' end)
      from pg_class c, aclexplode(c.relacl) a where c.oid = '{first}'::regclass and a.grantee <> c.relowner
  loop
    execute command;
  end loop;
end
$$;
