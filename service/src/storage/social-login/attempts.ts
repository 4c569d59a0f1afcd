import type { Selectable } from 'kysely'
import type { Attempt } from '../../domain/login/attempt.ts'
import { repeatableUntil } from '../../domain/repeated-decision.ts'
import type { AttemptStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import {
  addAttempt,
  decideAttempt,
  findAttempt,
  findUndecided,
  identifyAttempt,
  NO_PROFILE,
  restartAttempt,
  setAttemptSession,
  startWithoutChooser,
  takeAttempt,
} from './attempt-statements.ts'

export function attemptStore(access: Access): AttemptStore {
  return {
    async add(attempt) {
      await addAttempt.run(access.write, {
        attempt,
        profile: attempt.profile ?? NO_PROFILE,
        chooser: numberOf(attempt.chooser),
      })
    },

    async find(id, now) {
      const row = await findAttempt.first(access.read, { id, now })
      return row === undefined ? null : attemptFrom(row)
    },

    async tenantOf(id) {
      const row = await access.read
        .selectFrom('login_attempts')
        .select('tenant_id')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.tenant_id ?? null
    },

    async findUndecided(same, since) {
      const row = await findUndecided.first(access.read, { ...same, since })
      return row === undefined ? null : attemptFrom(row)
    },

    startWithoutChooser: async (attempt) => (await startWithoutChooser.run(access.write, { attempt })) === 1,

    restart: async (attempt, { id, createdAt: now, expiresAt }) =>
      (await restartAttempt.run(access.write, { attempt, id, now, expiresAt })) === 1,

    async take(id, now) {
      const row = await takeAttempt.first(access.writeEarly, { id, now })
      return row === undefined ? null : attemptFrom(row)
    },

    identify: async (attempt, { profile, remember }, now) =>
      (await identifyAttempt.run(access.writeEarly, { attempt, now, profile, remember: numberOf(remember) })) === 1,

    async decide(attempt, outcome, now) {
      return (await decideAttempt.run(access.write, { attempt, outcome, now, keepUntil: repeatableUntil(now) })) === 1
    },

    async setSession(attempt, sessionId) {
      await setAttemptSession.run(access.write, { attempt, sessionId })
    },

    async removeByTenant(tenantId) {
      await access.write.deleteFrom('login_attempts').where('tenant_id', '=', tenantId).execute()
    },

    sweep: (now, limit) => sweepExpired(access, 'login_attempts', now, limit),
  }
}

const numberOf = (fact: boolean): number => (fact ? 1 : 0)

function attemptFrom(row: Selectable<Tables['login_attempts']>): Attempt {
  const { issuer, subject, email, name, picture, outcome, decided_at: at, session_id: sessionId } = row
  const known = issuer !== null && subject !== null && email !== null
  return {
    id: row.id,
    tenantId: row.tenant_id,
    redirectUri: row.redirect_uri,
    returnTo: row.return_to,
    provider: row.provider,
    providerClientId: row.provider_client_id,
    browserHash: row.browser_hash,
    challenge: row.challenge,
    chooser: row.chooser === 1,
    remember: row.remember === 1,
    stage: row.stage,
    profile: known ? { issuer, subject, email, name, picture } : null,
    decision: outcome === null || at === null ? null : { outcome, at, sessionId },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
