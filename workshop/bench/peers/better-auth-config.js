import { DatabaseSync } from 'node:sqlite'
import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import { BASE_URL, IDENTITY } from './peer-env.js'

/**
 * better-auth as in its documentation and its performance guide: joins, indexes (from its migration) and optionally the
 * cookie cache. Its rate limit is off, because the load comes from one address. The cache lasts an hour instead of five
 * minutes, so that it doesn't expire during the run.
 */
const database = new DatabaseSync(process.env.DATABASE_FILE ?? ':memory:')
database.exec('pragma journal_mode = wal')

export const options = {
  baseURL: BASE_URL,
  secret: 'a secret of at least thirty-two characters',
  database,
  advanced: { database: { joins: true } },
  rateLimit: { enabled: false },
  trustedOrigins: ['https://app.example.com'],
  telemetry: { enabled: false },
  session: { cookieCache: { enabled: process.env.COOKIE_CACHE === '1', maxAge: 3_600 } },
  plugins:
    IDENTITY.issuer === ''
      ? []
      : [
          genericOAuth({
            config: [
              {
                providerId: 'google',
                discoveryUrl: `${IDENTITY.issuer}/.well-known/openid-configuration`,
                clientId: IDENTITY.clientId,
                clientSecret: IDENTITY.clientSecret,
                scopes: ['openid', 'email', 'profile'],
                pkce: true,
              },
            ],
          }),
        ],
}

export const auth = betterAuth(options)
