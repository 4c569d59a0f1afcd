import type { ProviderName } from '@gatehouse/contract'

/** The provider whose issuer is the same everywhere. Google's is a setting, and owners choose those of `oidc-` providers. */
export function fixedIssuer(issuer: string): ProviderName | null {
  if (issuer === 'https://github.com') return 'github'
  if (issuer === 'https://appleid.apple.com') return 'apple'
  // Each directory of Microsoft is an issuer.
  return issuer.startsWith('https://login.microsoftonline.com/') ? 'microsoft' : null
}
