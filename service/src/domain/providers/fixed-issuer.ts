import { type NamedProvider, PROVIDERS, type ProviderName } from '@gatehouse/contract'

/** The provider whose issuer is the same everywhere. Google's is a setting, and owners choose those of `oidc-` providers. */
export function fixedIssuer(issuer: string): ProviderName | null {
  const found = Object.entries(PROVIDERS).find(([, { issuer: known }]) =>
    known?.endsWith('/') ? issuer.startsWith(known) : issuer === known,
  )
  return found === undefined ? null : (found[0] as NamedProvider)
}
