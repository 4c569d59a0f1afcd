import type { RefusalCode } from '@gatehouse-auth/contract'
import { type Selectable, sql } from 'kysely'
import type { RefusalCount } from '../../domain/login/refusal.ts'
import type { RefusalStore } from '../../domain/stores/stores.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { camelCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { removeByTenant, sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

export function refusalStore(access: Access): RefusalStore {
  return {
    async add(refusals, since, kept) {
      await access.inTransaction(async (open) => {
        // In one order at every instance, or two that write the same kinds deadlock.
        const ordered = [...refusals].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
        for (const refusal of ordered) {
          await add(open, refusal, since)
        }
        for (const tenantId of new Set(ordered.map((refusal) => refusal.tenantId))) {
          await trim(open, tenantId, kept)
        }
      })
    },

    list: async (tenantId, since, limit) =>
      (await newest.rows(access.read, { tenantId, since, limit })).map(refusalFrom),

    removeByTenant: removeByTenant(access, 'refusals'),
    sweep: sweepExpired(access, 'refusals', {
      key: ['tenant_id', 'kind'],
      where: ['last_at', '<'],
    }),
  }
}

const newest = statement(
  (db, { tenantId, since, limit }: Slots<{ tenantId: string; since: number; limit: number }>) =>
    db
      .selectFrom('refusals')
      .select([
        'tenant_id',
        'step',
        'code',
        'differs',
        'sent',
        'closest',
        'count',
        'first_at',
        'last_at',
      ])
      .where('tenant_id', '=', tenantId)
      .where('last_at', '>', since)
      .orderBy('last_at', 'desc')
      .orderBy('kind')
      .limit(limit),
)

const keyOf = (refusal: RefusalCount): string => `${refusal.tenantId} ${kindOf(refusal)}`

const kindOf = ({ step, code, differs }: RefusalCount): string =>
  `${step} ${code} ${differs ?? ''}`.trim()

/** Refused before the social login is read, or because there is none. */
const WITHOUT_RESOURCE = [
  'notProvisioned',
  'tenantPaused',
  'tenantSuspended',
] satisfies RefusalCode[]

/** The tenant or its social login may have been deleted since: then nothing is stored. The lock lets a deletion wait, or this. */
async function add(
  { engine, write }: TransactionAccess,
  refusal: RefusalCount,
  since: number,
): Promise<void> {
  const { tenantId, step, code, differs, sent, closest, count, firstAt, lastAt } = refusal
  const kind = kindOf(refusal)
  await sql`insert into refusals (tenant_id, kind, step, code, differs, sent, closest, count, first_at, last_at)
    select id, ${kind}, ${step}, ${code}, cast(${differs} as text), cast(${sent} as text), cast(${closest} as text),
      cast(${count} as integer), cast(${firstAt} as bigint), cast(${lastAt} as bigint)
    from tenants where id = ${tenantId} and ended_at is null and (cast(${code} as text) in (${sql.join(WITHOUT_RESOURCE)})
      or exists (select 1 from resources where tenant_id = cast(${tenantId} as text) and status = 'active'
        and created_at <= cast(${firstAt} as bigint) ${sql.raw(engine === 'postgres' ? 'for share' : '')}))
    on conflict (tenant_id, kind) do update set
      count = excluded.count + case when refusals.last_at > ${since} then refusals.count else 0 end,
      first_at = case when refusals.last_at > ${since} then refusals.first_at else excluded.first_at end,
      last_at = excluded.last_at, sent = excluded.sent, closest = excluded.closest`.execute(write)
}

async function trim({ write }: TransactionAccess, tenantId: string, kept: number): Promise<void> {
  await write
    .deleteFrom('refusals')
    .where('tenant_id', '=', tenantId)
    .where('kind', 'not in', (eb) =>
      eb
        .selectFrom('refusals')
        .select('kind')
        .where('tenant_id', '=', tenantId)
        .orderBy('last_at', 'desc')
        .limit(kept),
    )
    .execute()
}

const refusalFrom = (row: Omit<Selectable<Tables['refusals']>, 'kind'>): RefusalCount =>
  camelCase(row)
