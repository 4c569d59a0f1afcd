import type { Selectable } from 'kysely'
import type { Attempt } from '../domain/login/attempt.ts'
import type { Profile } from '../domain/login/identity-provider.ts'
import type { AttemptStore } from '../domain/stores.ts'
import type { Access } from './access.ts'
import { sweepExpired } from './sweep-expired.ts'
import type { Tables } from './tables.ts'

const COLUMNS = [
  'id',
  'tenant_id',
  'redirect_uri',
  'return_to',
  'browser_hash',
  'stage',
  'issuer',
  'subject',
  'email',
  'name',
  'picture',
  'created_at',
  'expires_at',
] as const

const NOBODY = { issuer: null, subject: null, email: null, name: null, picture: null }

/** Each step is one conditional update, so of two that try it at once one finds the door closed. */
export function attemptStore(access: Access): AttemptStore {
  return {
    async add(attempt) {
      await access.write
        .insertInto('login_attempts')
        .values({
          id: attempt.id,
          tenant_id: attempt.tenantId,
          redirect_uri: attempt.redirectUri,
          return_to: attempt.returnTo,
          browser_hash: attempt.browserHash,
          stage: attempt.stage,
          ...(attempt.profile === null ? NOBODY : person(attempt.profile)),
          created_at: attempt.createdAt,
          expires_at: attempt.expiresAt,
        })
        .execute()
    },

    async find(id, now) {
      const row = await access.read
        .selectFrom('login_attempts')
        .select(COLUMNS)
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row === undefined ? null : attemptFrom(row)
    },

    async findStarted(same, since) {
      const row = await access.read
        .selectFrom('login_attempts')
        .select(COLUMNS)
        .where('tenant_id', '=', same.tenantId)
        .where('browser_hash', '=', same.browserHash)
        .where('redirect_uri', '=', same.redirectUri)
        .where('return_to', same.returnTo === null ? 'is' : '=', same.returnTo)
        .where('stage', '=', 'started')
        .where('created_at', '>=', since)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : attemptFrom(row)
    },

    async take(id, now) {
      const row = await access.write
        .updateTable('login_attempts')
        .set({ stage: 'returned' })
        .where('id', '=', id)
        .where('stage', '=', 'started')
        .where('expires_at', '>', now)
        .returning(COLUMNS)
        .executeTakeFirst()
      return row === undefined ? null : attemptFrom(row)
    },

    async identify(id, profile, now) {
      const { numUpdatedRows } = await access.write
        .updateTable('login_attempts')
        .set({ stage: 'identified', ...person(profile) })
        .where('id', '=', id)
        .where('stage', '=', 'returned')
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async decide(id, now) {
      return access.together(async ({ write }) => {
        // The door closes first and tells who stood in it; then that is forgotten, in the same transaction.
        const row = await write
          .updateTable('login_attempts')
          .set({ stage: 'decided' })
          .where('id', '=', id)
          .where('stage', 'in', ['returned', 'identified'])
          .where('expires_at', '>', now)
          .returning(COLUMNS)
          .executeTakeFirst()
        if (row === undefined) return null
        await write
          .updateTable('login_attempts')
          .set(NOBODY)
          .where('tenant_id', '=', row.tenant_id)
          .where('id', '=', id)
          .execute()
        return attemptFrom({ ...row, stage: row.subject === null ? 'returned' : 'identified' })
      })
    },

    async removeOf(tenantId) {
      await access.write.deleteFrom('login_attempts').where('tenant_id', '=', tenantId).execute()
    },

    sweep: (now, limit) => sweepExpired(access, 'login_attempts', now, limit),
  }
}

const person = ({ issuer, subject, email, name, picture }: Profile): Profile => ({
  issuer,
  subject,
  email,
  name,
  picture,
})

function attemptFrom(row: Selectable<Tables['login_attempts']>): Attempt {
  const { issuer, subject, email, name, picture } = row
  const known = issuer !== null && subject !== null && email !== null
  return {
    id: row.id,
    tenantId: row.tenant_id,
    redirectUri: row.redirect_uri,
    returnTo: row.return_to,
    browserHash: row.browser_hash,
    stage: row.stage,
    profile: known ? { issuer, subject, email, name, picture } : null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
