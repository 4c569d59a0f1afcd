import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/**
 * Which history of the database this is. PostgreSQL names it: a promoted standby and a restored backup continue on a new
 * timeline, which lacks what was committed last on the former one. On SQLite only the id floor is used.
 */
export async function lineage(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('lineage')
    // Always 1.
    .addColumn('id', 'integer', key)
    .addColumn('system_id', 'text', required)
    .addColumn('timeline', integer, required)
    .addColumn('mark', 'text', required)
    .addColumn('since_ms', integer, required)
    .addColumn('id_floor', integer, required)
    .addCheckConstraint('lineage_has_one_row', sql`id = 1`)
    .$call(endByKey)
    .execute()
  if (engine === 'sqlite') return
  await newLineage(db)
  await fence(db)
}

/**
 * Starts a new history: no id of the former one is assigned again, and verify refuses the sessions that only the former one
 * has. Their ids follow the last one here, or are missing among the last thousand, because commits are out of order.
 * Sequences of other owners in this schema are not ours.
 *
 * The floor for the ids of users and events is one number for all tenants, rounded up to whole millions, so that it tells a
 * tenant little about the others.
 */
async function newLineage(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function gatehouse_new_lineage_v1(in_system text, in_timeline bigint, skip bigint, tokens_expire_after bigint)
    returns table (lost_first bigint, lost_last bigint, new_floor bigint, new_mark text)
    language plpgsql as $$
    declare
      now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
      cut bigint := coalesce((select max(s.id) from sessions s), 0);
    begin
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
      ) + skip;
      new_floor := (new_floor + 999999) / 1000000 * 1000000;
      new_mark := gen_random_uuid()::text;
      insert into lineage as l (id, system_id, timeline, mark, since_ms, id_floor)
        values (1, in_system, in_timeline, new_mark, now_ms, new_floor)
      on conflict (id) do update
        set system_id = excluded.system_id, timeline = excluded.timeline, mark = excluded.mark,
          since_ms = excluded.since_ms, id_floor = excluded.id_floor;
      return next;
    end
    $$`.execute(db)
}

/**
 * Called on every new connection before its first use (storage/postgres/connection/server-client.ts), and by a pooler's connect_query,
 * so its parameters have defaults. The first call on a new timeline starts a new lineage; concurrent calls wait for it.
 *
 * The timeline of the current WAL file is right as soon as a standby is promoted; that of pg_control_checkpoint is late.
 * A server that has no WAL functions keeps timeline 0: its storage loses no commit.
 */
async function fence(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function gatehouse_server_v1(out system_id text, out timeline bigint) language plpgsql as $$
    begin
      system_id := (select c.system_identifier::text from pg_control_system() c);
      timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
    exception when feature_not_supported or insufficient_privilege then
      system_id := '';
      timeline := 0;
    end
    $$`.execute(db)
  await sql`
    create function gatehouse_fence_v1(skip bigint default 1000000, tokens_expire_after bigint default 3720000)
    returns table (system_id text, timeline bigint, mark text, former_timeline bigint, lost_first bigint,
      lost_last bigint, id_floor bigint)
    language plpgsql as $$
    #variable_conflict use_column
    declare
      known lineage;
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
          values (1, system_id, timeline, gen_random_uuid()::text, floor(extract(epoch from clock_timestamp()) * 1000), 0)
          returning mark into mark;
      elsif (known.system_id, known.timeline) = (system_id, timeline) then
        mark := known.mark;
      elsif known.system_id = system_id and known.timeline > timeline then
        raise exception using errcode = 'cannot_connect_now',
          message = format('this PostgreSQL server is on timeline %s, its data on timeline %s', timeline, known.timeline);
      else
        former_timeline := known.timeline;
        select n.new_mark, n.lost_first, n.lost_last, n.new_floor into mark, lost_first, lost_last, id_floor
          from gatehouse_new_lineage_v1(system_id, timeline, skip, tokens_expire_after) n;
      end if;
      return next;
    end
    $$`.execute(db)
}
