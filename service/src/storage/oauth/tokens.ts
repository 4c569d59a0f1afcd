import type { NewAccessToken, OAuthTokenStore } from '../../domain/stores/oauth.ts'
import type { Access, TransactionAccess } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'
import { GRANT_COLUMNS, grantFrom, readScopes, writeScopes } from './grants.ts'

export function oauthTokenStore(access: Access): OAuthTokenStore {
  const sweepAccessTokens = sweepExpired(access, 'oauth_access_tokens', {
    key: ['hash'],
    where: ['expires_at', '<='],
  })
  const sweepRefreshTokens = sweepExpired(access, 'oauth_refresh_tokens', {
    key: ['hash'],
    where: ['expires_at', '<='],
  })

  return {
    issueAccess: (grantId, token) =>
      access.inTransaction((open) => addAccessToken(open, grantId, token)),

    async issue(grantId, token, refresh) {
      await access.inTransaction(async (open) => {
        await addAccessToken(open, grantId, token)
        await open.write
          .insertInto('oauth_refresh_tokens')
          .values({
            hash: refresh.hash,
            grant_id: grantId,
            expires_at: refresh.expiresAt,
            used_at: null,
          })
          .execute()
      })
    },

    async findGrant(hashes, now) {
      if (hashes.length === 0) {
        return null
      }
      const row = await findValid.first(access.read, { hashes, now })
      return row === undefined ? null : { ...grantFrom(row), scopes: readScopes(row.token_scopes) }
    },

    async findGrantIgnoringExpiry(accessHashes) {
      if (accessHashes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('oauth_access_tokens')
        .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_access_tokens.grant_id')
        .select(['oauth_grants.id', 'oauth_grants.client_id'])
        .where('hash', 'in', accessHashes)
        .executeTakeFirst()
      return row === undefined ? null : { id: row.id, clientId: row.client_id }
    },

    async findRefresh(hashes) {
      if (hashes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('oauth_refresh_tokens')
        .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_refresh_tokens.grant_id')
        .select(GRANT_COLUMNS)
        .select(['hash', 'expires_at', 'used_at'])
        .where('hash', 'in', hashes)
        .executeTakeFirst()
      if (row === undefined) {
        return null
      }
      return {
        hash: row.hash,
        expiresAt: row.expires_at,
        usedAt: row.used_at,
        grant: grantFrom(row),
      }
    },

    useRefresh: (hash, now) => useOnce(access, 'oauth_refresh_tokens', hash, now),

    async sweep(now, limit) {
      const accessTokens = await sweepAccessTokens(now, limit)
      const refreshTokens = await sweepRefreshTokens(now, limit - accessTokens)
      return accessTokens + refreshTokens
    },
  }
}

/**
 * Parallel sessions of one agent have an access token each; sessions beyond the bound would end each other's and refresh
 * all the time. The bound keeps a client from filling the table.
 */
const ACCESS_TOKENS_MAX = 100

async function addAccessToken(
  { write }: TransactionAccess,
  grantId: number,
  token: NewAccessToken,
): Promise<void> {
  await write
    .deleteFrom('oauth_access_tokens')
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('oauth_access_tokens')
        .select('hash')
        .where('grant_id', '=', grantId)
        .orderBy('expires_at', 'desc')
        .limit(ACCESS_TOKENS_MAX)
        .offset(ACCESS_TOKENS_MAX - 1),
    )
    .execute()
  await write
    .insertInto('oauth_access_tokens')
    .values({
      hash: token.hash,
      grant_id: grantId,
      scopes: writeScopes(token.scopes),
      expires_at: token.expiresAt,
    })
    .execute()
}

/** Runs at every request of an OAuth client. */
const findValid = statement(
  (db, { hashes, now }: Slots<{ hashes: readonly string[]; now: number }>) =>
    db
      .selectFrom('oauth_access_tokens')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_access_tokens.grant_id')
      .select(GRANT_COLUMNS)
      .select('oauth_access_tokens.scopes as token_scopes')
      .where('hash', 'in', hashes)
      .where('expires_at', '>', now)
      .where('revoked_at', 'is', null),
)

/**
 * Marks a code or refresh token as used, and returns whether this call was the one that did. One conditional update:
 * reading, checking and then writing would let two concurrent calls through (CVE-2026-47386, decision 14).
 */
export async function useOnce(
  { write }: Access,
  table: 'oauth_codes' | 'oauth_refresh_tokens',
  hash: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await write
    .updateTable(table)
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
