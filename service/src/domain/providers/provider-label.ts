import { PROVIDERS, type ProviderName, providerKind } from '@gatehouse/contract'

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
