import {
  NAMED_PROVIDERS,
  PROVIDERS,
  type ProviderDefinition,
  type ProviderName,
  providerKind,
} from '@gatehouse-auth/contract'
import type { TenantId } from '../ids.ts'

/** What people call a provider. Owners name the OpenID providers that they chose. */
export function providerName(provider: ProviderName, displayName: string | null): string {
  const kind = providerKind(provider)
  return kind === 'oidc' ? (displayName ?? provider) : PROVIDERS[kind].label
}

/**
 * The name of a provider for people who decide whether to trust it. The host of its issuer is beside a name that an owner
 * chose: unlike the name, it can't be chosen freely.
 */
export function providerLabel(
  provider: ProviderName,
  own: { readonly displayName: string | null; readonly issuer: string | null } | null,
): string {
  const name = providerName(provider, own?.displayName ?? null)
  const host = own?.issuer == null ? null : (URL.parse(own.issuer)?.host ?? null)
  return host === null ? name : `${name} (${host})`
}

/**
 * Where a provider's response arrives. Owners choose OpenID providers, and two owners may give theirs the same name, so
 * that path has the tenant in it: each issuer needs a redirect URI of its own, and a response that arrives at another one
 * is refused. Otherwise a hostile provider could have a code of an honest one delivered to itself (mix-up, RFC 9700,
 * section 4.4).
 */
export const callbackPath = (provider: ProviderName, tenantId: TenantId): string =>
  providerKind(provider) === 'oidc'
    ? `/auth/${provider}/callback/${tenantId}`
    : `/auth/${provider}/callback`

/** Where Google's response to a sign-in to an account arrives. */
export const ACCOUNT_CALLBACK = '/auth/google/callback'

/** The provider whose issuer is the same everywhere. Google's is a setting, and owners choose those of `oidc-` providers. */
export function fixedIssuer(issuer: string): ProviderName | null {
  return NAMED_PROVIDERS.find((name) => isIssuerOf(PROVIDERS[name], issuer)) ?? null
}

const DIRECTORY_ID = /^[0-9a-f-]{36}$/

function isIssuerOf({ issuer: known }: ProviderDefinition, issuer: string): boolean {
  const [start = '', end] = known?.split('{directory}') ?? []
  if (end === undefined) {
    return issuer === known
  }
  const directory = issuer.slice(start.length, -end.length)
  return issuer === start + directory + end && DIRECTORY_ID.test(directory)
}
