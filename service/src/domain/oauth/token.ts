import { SECRET_PREFIXES } from '@gatehouse/contract'
import { mintSecret } from '../tokens/secret.ts'

/** Codes, access tokens and refresh tokens (decision 14). Each has its own prefix, hash input and table. */
const PREFIXES = {
  code: SECRET_PREFIXES.oauthCode,
  access: SECRET_PREFIXES.oauthAccessToken,
  refresh: SECRET_PREFIXES.oauthRefreshToken,
} as const

export type OAuthSecret = keyof typeof PREFIXES

const BODY = /^[A-Za-z0-9_-]{43}$/

export const mintOAuthSecret = (kind: OAuthSecret, random: (bytes: number) => Uint8Array): string =>
  mintSecret(PREFIXES[kind], random)

/** Text in another format is rejected without a query. */
export const hasTokenFormat = (kind: OAuthSecret, text: string): boolean =>
  text.startsWith(PREFIXES[kind]) && BODY.test(text.slice(PREFIXES[kind].length))
