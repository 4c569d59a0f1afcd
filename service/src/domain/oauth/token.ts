import { mintSecret } from '../tokens/secret.ts'

/** Codes, access tokens and refresh tokens (decision 14). Each has its own prefix, hash input and table. */
const PREFIXES = { code: 'mcp_ac_', access: 'mcp_at_', refresh: 'mcp_rt_' } as const

export type OAuthSecret = keyof typeof PREFIXES

const BODY = /^[A-Za-z0-9_-]{43}$/

export const mintOAuthSecret = (kind: OAuthSecret, random: (bytes: number) => Uint8Array): string =>
  mintSecret(PREFIXES[kind], random)

/** Text in another format is rejected without a query. */
export const hasTokenFormat = (kind: OAuthSecret, text: string): boolean =>
  text.startsWith(PREFIXES[kind]) && BODY.test(text.slice(PREFIXES[kind].length))
