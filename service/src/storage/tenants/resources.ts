import type { Claims, IdTokenSettings } from '@gatehouse-auth/contract'
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { defined } from '../../domain/defined.ts'
import { latestTokenExpiry } from '../../domain/revocation/revocation.ts'
import type { Resource, ResourceSettings, ResourceStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { publishRevocation } from '../revocations.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { countRows, purge } from './purge.ts'

// Literals, not parameters: the planner uses a partial index only if the statement's text implies its condition.
const SOCIAL_LOGIN = sql.lit('social-login' as const)
const ACTIVE = sql.lit('active' as const)
const DELETING = sql.lit('deleting' as const)

export function resourceStore(access: Access): ResourceStore {
  return {
    findActive: (tenantId) => find.find(access.read, { tenantId }, resourceFrom),

    async lockActive(tenantId) {
      // With a share lock, markDeleted waits for this transaction, or this one waits and then sees the deletion. SQLite
      // needs no lock: a transaction is the only writer from its first statement on.
      const statement = access.engine === 'postgres' ? lock : find
      return statement.find(access.read, { tenantId }, resourceFrom)
    },

    async provision(tenantId, callbackUrls, now, settings = {}) {
      const changes = {
        callback_urls: JSON.stringify(callbackUrls),
        updated_at: now,
        ...settingColumns(settings),
      }
      const row = await access.write
        .insertInto('resources')
        .values({
          tenant_id: tenantId,
          kind: 'social-login',
          status: 'active',
          created_at: now,
          deleted_at: null,
          ...changes,
        })
        .onConflict((conflict) =>
          conflict.columns(['tenant_id', 'kind']).where('status', '=', ACTIVE).doUpdateSet(changes),
        )
        .returning(RESOURCE_COLUMNS)
        .executeTakeFirstOrThrow()
      return resourceFrom(row)
    },

    async changeSettings(tenantId, settings, now) {
      const row = await access.write
        .updateTable('resources')
        .set({ updated_at: now, ...settingColumns(settings) })
        .where((eb) => eb.and({ tenant_id: tenantId, kind: SOCIAL_LOGIN, status: ACTIVE }))
        .returning(RESOURCE_COLUMNS)
        .executeTakeFirst()
      return row === undefined ? null : resourceFrom(row)
    },

    async markDeleted(tenantId, now) {
      return access.inTransaction(async (open) => {
        const row = await open.write
          .updateTable('resources')
          .set({ status: 'deleting', deleted_at: now })
          .where((eb) => eb.and({ tenant_id: tenantId, kind: SOCIAL_LOGIN, status: ACTIVE }))
          .returning(RESOURCE_COLUMNS)
          .executeTakeFirst()
        if (row === undefined) {
          return null
        }

        const until = latestTokenExpiry(now)
        const revocation = { kind: 'resource', tenantId, resourceId: row.id, until } as const
        await publishRevocation(open, revocation, now)
        return resourceFrom(row)
      })
    },

    async listDeleting(limit) {
      const rows = await access.read
        .selectFrom('resources')
        .select(['id', 'tenant_id'])
        .where('status', '=', DELETING)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id, tenant_id }) => ({ id, tenantId: tenant_id }))
    },

    async countDeleting(tenantId) {
      const deleting = await access.read
        .selectFrom('resources')
        .select('id')
        .where((eb) => eb.and({ tenant_id: tenantId, status: DELETING }))
        .execute()
      let rows = 0
      for (const { id } of deleting) {
        rows += await countRows(access, id)
      }
      return rows
    },

    async purge(tenantId, resourceId, limit) {
      return access.inTransaction((open) => purge(open, { tenantId, resourceId }, limit))
    },
  }
}

const active = (db: Kysely<Tables>, tenantId: Expression<string>) =>
  db
    .selectFrom('resources')
    .select(RESOURCE_COLUMNS)
    .where((eb) => eb.and({ tenant_id: tenantId, kind: SOCIAL_LOGIN, status: ACTIVE }))

const find = statement((db, { tenantId }: Slots<{ tenantId: string }>) => active(db, tenantId))
const lock = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  active(db, tenantId).forShare(),
)

/** The columns of the given settings only. */
const settingColumns = (settings: ResourceSettings) =>
  defined({
    refresh_leeway_seconds: settings.refreshLeewaySeconds,
    callback_mode: settings.callbackMode,
    remember_consent: given(settings.rememberConsent, (isRemembered) => (isRemembered ? 1 : 0)),
    allowed_domains: given(settings.allowedDomains, JSON.stringify),
    allowed_emails: given(settings.allowedEmails, JSON.stringify),
    first_user_claims: given(settings.firstUserClaims, claimsText),
    id_tokens: given(settings.idTokens, idTokensText),
    admission: settings.admission,
  })

const given = <Value, Column>(
  value: Value | undefined,
  columnOf: (value: Value) => Column,
): Column | undefined => (value === undefined ? undefined : columnOf(value))

const idTokensText = (idTokens: IdTokenSettings | null): string | null =>
  idTokens === null ? null : JSON.stringify(idTokens)

export const RESOURCE_COLUMNS = [
  'id',
  'tenant_id',
  'callback_urls',
  'refresh_leeway_seconds',
  'callback_mode',
  'remember_consent',
  'allowed_domains',
  'allowed_emails',
  'first_user_claims',
  'id_tokens',
  'admission',
  'created_at',
  'updated_at',
] as const

type ResourceRow = Pick<Selectable<Tables['resources']>, (typeof RESOURCE_COLUMNS)[number]>

export const resourceFrom = (row: ResourceRow): Resource => ({
  id: row.id,
  tenantId: row.tenant_id,
  callbackUrls: JSON.parse(row.callback_urls) as string[],
  refreshLeewaySeconds: row.refresh_leeway_seconds,
  callbackMode: row.callback_mode,
  rememberConsent: row.remember_consent === 1,
  allowedDomains: JSON.parse(row.allowed_domains) as string[],
  allowedEmails: JSON.parse(row.allowed_emails) as string[],
  firstUserClaims: row.first_user_claims === null ? null : claimsFrom(row.first_user_claims),
  idTokens: row.id_tokens === null ? null : (JSON.parse(row.id_tokens) as IdTokenSettings),
  admission: row.admission,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** null: no claims. */
export const claimsText = (claims: Claims | null): string | null =>
  claims === null || Object.keys(claims).length === 0 ? null : JSON.stringify(claims)

export const claimsFrom = (text: string | null): Claims =>
  text === null ? {} : (JSON.parse(text) as Claims)

/** The slots of a statement about rows of one resource. */
export interface InResource {
  readonly resource: Pick<Resource, 'id' | 'tenantId'>
}

/**
 * A condition for every query that returns rows of a resource. A long list is read in pages, and the resource can be
 * deleted between two of them: its rows are removed in chunks, but must be invisible from the deletion on
 * (docs/storage.md).
 *
 * Pages name the tenant only here. With `tenant_id = ?` beside `resource_id = ?` PostgreSQL treats the two as
 * independent, estimates almost no rows, and sorts all rows of a large tenant for every page (docs/scaling.md).
 */
export const stillActive = ({ id, tenantId }: Resource): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from resources where resources.id = ${id} and resources.tenant_id = ${tenantId} and resources.status = 'active')`
