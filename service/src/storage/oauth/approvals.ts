import type { Selectable } from 'kysely'
import type { Approval } from '../../domain/oauth/grant.ts'
import { repeatableUntil } from '../../domain/repeated-decision.ts'
import type { OAuthApprovalStore, OAuthCodeStore } from '../../domain/stores/oauth.ts'
import type { Access } from '../access.ts'
import { camelCase, snakeCase } from '../columns.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import { GRANT_COLUMNS, grantFrom, readScopes, writeScopes } from './grants.ts'
import { useOnce } from './tokens.ts'

const COLUMNS = [
  'client_id',
  'client_name',
  'redirect_uri',
  'state',
  'challenge',
  'scopes',
  'resource',
  'account_required',
  'browser_hash',
  'created_at',
  'expires_at',
  'decision',
  'decided_at',
] as const

export function oauthApprovalStore(access: Access): OAuthApprovalStore {
  return {
    async add(hash, approval) {
      await access.write
        .insertInto('oauth_approvals')
        .values({
          ...snakeCase(approval),
          hash,
          scopes: writeScopes(approval.scopes),
          account_required: approval.accountRequired ? 1 : 0,
        })
        .execute()
    },

    async find(hashes) {
      if (hashes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('oauth_approvals')
        .select(COLUMNS)
        .where('hash', 'in', hashes)
        .executeTakeFirst()
      return row === undefined ? null : approvalFrom(row)
    },

    // One conditional update: of two decisions, or one that was submitted twice, only the first counts (decision 13).
    async decide(hashes, browserHashes, decision, now) {
      if (hashes.length === 0 || browserHashes.length === 0) {
        return null
      }
      const keepUntil = repeatableUntil(now)
      const row = await access.write
        .updateTable('oauth_approvals')
        .set((eb) => ({
          decision,
          decided_at: now,
          expires_at: eb
            .case()
            .when('expires_at', '<', keepUntil)
            .then(keepUntil)
            .else(eb.ref('expires_at'))
            .end(),
        }))
        .where('hash', 'in', hashes)
        .where('browser_hash', 'in', browserHashes)
        .where('decided_at', 'is', null)
        .where('expires_at', '>', now)
        .returning(COLUMNS)
        .executeTakeFirst()
      return row === undefined ? null : approvalFrom(row)
    },

    sweep: sweepExpired(access, 'oauth_approvals', { key: ['hash'], where: ['expires_at', '<='] }),
  }
}

const approvalFrom = (
  row: Pick<Selectable<Tables['oauth_approvals']>, (typeof COLUMNS)[number]>,
): Approval => ({
  ...camelCase(row),
  scopes: readScopes(row.scopes),
  accountRequired: row.account_required === 1,
})

/** Codes are deleted with their grant, so that a replayed code is recognized as long as the grant exists. */
export function oauthCodeStore(access: Access): OAuthCodeStore {
  return {
    async add(hash, { redirectUri, challenge, expiresAt }, grantId) {
      await access.write
        .insertInto('oauth_codes')
        .values({
          hash,
          grant_id: grantId,
          redirect_uri: redirectUri,
          challenge,
          expires_at: expiresAt,
          used_at: null,
        })
        .execute()
    },

    async find(hashes) {
      if (hashes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('oauth_codes')
        .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_codes.grant_id')
        .select(GRANT_COLUMNS)
        .select(['hash', 'redirect_uri', 'challenge', 'expires_at', 'used_at'])
        .where('hash', 'in', hashes)
        .executeTakeFirst()
      if (row === undefined) {
        return null
      }
      return {
        hash: row.hash,
        redirectUri: row.redirect_uri,
        challenge: row.challenge,
        expiresAt: row.expires_at,
        usedAt: row.used_at,
        grant: grantFrom(row),
      }
    },

    use: (hash, now) => useOnce(access, 'oauth_codes', hash, now),
  }
}
