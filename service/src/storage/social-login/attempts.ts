import type { Selectable } from 'kysely'
import type { Attempt } from '../../domain/login/attempt.ts'
import type { AttemptStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables.ts'
import {
  addAttempt,
  decideAttempt,
  findAttempt,
  findStarted,
  findStartedWithReturnTo,
  identifyAttempt,
  NO_PROFILE,
  takeAttempt,
} from './attempt-statements.ts'

export function attemptStore(access: Access): AttemptStore {
  return {
    async add(attempt) {
      await addAttempt.run(access.write, { attempt, profile: attempt.profile ?? NO_PROFILE })
    },

    async find(id, now) {
      const row = await findAttempt.first(access.read, { id, now })
      return row === undefined ? null : attemptFrom(row)
    },

    async findStarted({ returnTo, ...same }, since) {
      const row =
        returnTo === null
          ? await findStarted.first(access.read, { ...same, since })
          : await findStartedWithReturnTo.first(access.read, { ...same, since, returnTo })
      return row === undefined ? null : attemptFrom(row)
    },

    async take(id, now) {
      const row = await takeAttempt.first(access.write, { id, now })
      return row === undefined ? null : attemptFrom(row)
    },

    identify: async (id, profile, now) => (await identifyAttempt.run(access.write, { id, now, profile })) === 1,

    decide: async (id, now) => (await decideAttempt.run(access.write, { id, now })) === 1,

    async removeByTenant(tenantId) {
      await access.write.deleteFrom('login_attempts').where('tenant_id', '=', tenantId).execute()
    },

    sweep: (now, limit) => sweepExpired(access, 'login_attempts', now, limit),
  }
}

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
