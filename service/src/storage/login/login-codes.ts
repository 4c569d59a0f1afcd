import type { Selectable } from 'kysely'
import { openIdFromText, openIdText } from '../../domain/issuer/openid-request.ts'
import type { LoginCode, NewLoginCode } from '../../domain/login/login-code.ts'
import type { LoginCodeStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { removeByTenant, sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import type { InResource } from '../tenants/resources.ts'

export function loginCodeStore(access: Access): LoginCodeStore {
  return {
    async add(resource, code) {
      await add.run(access.write, { resource, code, openid: openIdText(code.openId) })
    },

    async find(resource, hashes) {
      if (hashes.length === 0) {
        return null
      }
      return find.find(access.read, { resource, hashes }, codeFrom)
    },

    async countWrongVerifier(resource, hash, max, now) {
      await access.write
        .updateTable('login_codes')
        .set((eb) => ({
          wrong_verifiers: eb('wrong_verifiers', '+', 1),
          used_at: eb
            .case()
            .when('wrong_verifiers', '>=', max - 1)
            .then(now)
            .else(null)
            .end(),
        }))
        .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, hash }))
        .where('used_at', 'is', null)
        .execute()
    },

    use: async (resource, hash, now) =>
      (await use.run(access.write, { resource, hash, now })) === 1,

    async setSession(resource, hash, sessionId) {
      await setSession.run(access.write, { resource, hash, sessionId })
    },

    async removeUnused({ tenantId, id }, userId) {
      await access.write
        .deleteFrom('login_codes')
        .where((eb) => eb.and({ tenant_id: tenantId, resource_id: id, user_id: userId }))
        .where('used_at', 'is', null)
        .execute()
    },

    removeByTenant: removeByTenant(access, 'login_codes'),
    sweep: sweepExpired(access, 'login_codes', {
      key: ['tenant_id', 'hash'],
      where: ['expires_at', '<'],
    }),
  }
}

type CodeRow = Pick<
  Selectable<Tables['login_codes']>,
  | 'hash'
  | 'user_id'
  | 'challenge'
  | 'openid'
  | 'redirect_uri'
  | 'used_at'
  | 'session_id'
  | 'expires_at'
>

const codeFrom = (row: CodeRow): LoginCode => ({
  hash: row.hash,
  userId: row.user_id,
  challenge: row.challenge,
  openId: openIdFromText(row.openid),
  redirectUri: row.redirect_uri,
  usedAt: row.used_at,
  sessionId: row.session_id,
  expiresAt: row.expires_at,
})

interface Added extends InResource {
  readonly code: Omit<NewLoginCode, 'openId'>
  readonly openid: string | null
}

const add = statement((db, { resource, code, openid }: Slots<Added>) =>
  db.insertInto('login_codes').values({
    tenant_id: resource.tenantId,
    hash: code.hash,
    resource_id: resource.id,
    user_id: code.userId,
    challenge: code.challenge,
    openid,
    redirect_uri: code.redirectUri,
    wrong_verifiers: 0,
    expires_at: code.expiresAt,
  }),
)

const find = statement(
  (db, { resource, hashes }: Slots<InResource & { hashes: readonly string[] }>) =>
    db
      .selectFrom('login_codes')
      .select([
        'hash',
        'user_id',
        'challenge',
        'openid',
        'redirect_uri',
        'used_at',
        'session_id',
        'expires_at',
      ])
      .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id }))
      .where('hash', 'in', hashes),
)

interface OneCode extends InResource {
  readonly hash: string
}

/** One conditional update: of two concurrent exchanges, only the first changes the row (decision 14). */
const use = statement((db, { resource, hash, now }: Slots<OneCode & { now: number }>) =>
  db
    .updateTable('login_codes')
    .set({ used_at: now })
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, hash }))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now),
)

const setSession = statement(
  (db, { resource, hash, sessionId }: Slots<OneCode & { sessionId: number }>) =>
    db
      .updateTable('login_codes')
      .set({ session_id: sessionId })
      .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id }))
      .where('hash', '=', hash),
)
