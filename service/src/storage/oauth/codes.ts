import type { OAuthCodeStore } from '../../domain/stores/oauth.ts'
import type { Access } from '../access.ts'
import { GRANT_COLUMNS, grantFrom } from './grant-rows.ts'
import { useOnce } from './use-once.ts'

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
      if (hashes.length === 0) return null
      const row = await access.read
        .selectFrom('oauth_codes')
        .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_codes.grant_id')
        .select(GRANT_COLUMNS)
        .select(['hash', 'redirect_uri', 'challenge', 'expires_at', 'used_at'])
        .where('hash', 'in', hashes)
        .executeTakeFirst()
      if (row === undefined) return null
      const { hash, redirect_uri: redirectUri, challenge, expires_at: expiresAt, used_at: usedAt } = row
      return { hash, redirectUri, challenge, expiresAt, usedAt, grant: grantFrom(row) }
    },

    use: (hash, now) => useOnce(access, 'oauth_codes', hash, now),
  }
}
