import { type ProviderName, providerKind } from '@gatehouse/contract'
import type { TenantId } from '../ids.ts'

/**
 * Where a provider's response arrives. Owners choose OpenID providers, and two owners may give theirs the same name, so
 * that path has the tenant in it: each issuer needs a redirect URI of its own, and a response that arrives at another one
 * is refused. Otherwise a hostile provider could have a code of an honest one delivered to itself (mix-up, RFC 9700,
 * section 4.4).
 */
export const callbackPath = (provider: ProviderName, tenantId: TenantId): string =>
  providerKind(provider) === 'oidc' ? `/auth/${provider}/callback/${tenantId}` : `/auth/${provider}/callback`

/** Where Google's response to a sign-in to an account arrives. */
export const ACCOUNT_CALLBACK = '/auth/google/callback'
