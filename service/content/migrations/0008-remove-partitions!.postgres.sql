-- Tables that `gatehouse partition` of an earlier build has partitioned by month become whole again, with all rows, keys, indexes and
-- rights. The rows are copied, so this step takes as long as that, and as much free disk as the two tables.
do $$
declare
  parent text;
  partitioned text;
  command text;
begin
  foreach parent in array array['events', 'login_attempts'] loop
    partitioned := parent || '_partitioned';

    -- Left by a command that was killed. The constraint would reject the rows of a later month.
    execute format('alter table %I drop constraint if exists %I', parent, parent || '_before');
    if (select relkind from pg_class where oid = parent::regclass) <> 'p' then
      execute format('drop index if exists %I', parent || '_by_month');
      continue;
    end if;

    execute format('alter table %I rename to %I', parent, partitioned);
    execute format('create table %I (like %I including defaults including storage including comments)', parent, partitioned);
    execute format('insert into %I select * from %I', parent, partitioned);

    -- The owner and the rights of other roles.
    for command in
      select format('alter table %I owner to %s', parent, c.relowner::regrole)
        from pg_class c where c.oid = partitioned::regclass and c.relowner <> current_user::regrole
      union all
      select format('grant %s on %I to %s%s', a.privilege_type, parent,
          case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
          case when a.is_grantable then ' with grant option' else '' end)
        from pg_class c, aclexplode(c.relacl) a where c.oid = partitioned::regclass and a.grantee <> c.relowner
    loop
      execute command;
    end loop;

    execute format('drop table %I', partitioned);
    if parent = 'events' then
      alter table events add constraint events_key primary key (resource_id, event, id, tenant_id);
      create index events_by_user on events (resource_id, user_id, id) where user_id is not null;
    else
      alter table login_attempts add constraint login_attempts_key primary key (id, tenant_id);
      create index login_attempts_of on login_attempts (tenant_id, browser_hash);
      create index login_attempts_expiry on login_attempts (expires_at);
    end if;
  end loop;
end
$$;

drop function if exists gatehouse_event_months_v1(bigint, bigint);
drop function if exists gatehouse_drop_event_months_v1(bigint);
drop function if exists gatehouse_attempt_months_v1(bigint);
drop function if exists gatehouse_create_months_v1(text, integer, bigint);
drop function if exists gatehouse_drop_months_v1(text, bigint);
drop function if exists gatehouse_partitions_v1(text);
