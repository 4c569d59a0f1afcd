import type { LoginFailureCode, ProviderName } from '@gatehouse-auth/contract'
import type { TenantId } from '../ids.ts'
import type { Keyring } from '../tokens/keyring.ts'
import { constantTimeEqual } from '../tokens/secret.ts'

/** How a test sign-in ended. */
export interface TestResult {
  readonly provider: ProviderName
  /** `replaced`: the owner set another client meanwhile. */
  readonly result: 'success' | 'denied' | 'replaced' | LoginFailureCode
  /** What the provider said about a failure. */
  readonly providerText: string | null
}

/**
 * The query of the page that shows the result. The words of the provider are signed for the project, so that no link can put
 * others on its page.
 */
export function testResultQuery(
  keyring: Keyring,
  tenantId: TenantId,
  { provider, result, providerText }: TestResult,
): URLSearchParams {
  const query = new URLSearchParams({ tested: provider, result })
  if (providerText !== null) {
    query.set('said', providerText)
    query.set('proof', proofOf(keyring, tenantId, providerText))
  }
  return query
}

/** The words of the provider in that query; null if there are none, or others. */
export function providerTextOf(
  keyring: Keyring,
  tenantId: TenantId,
  { said, proof }: { readonly said?: string | undefined; readonly proof?: string | undefined },
): string | null {
  if (said === undefined || proof === undefined) {
    return null
  }
  return keyring.kids.some((kid) => constantTimeEqual(proofOf(keyring, tenantId, said, kid), proof))
    ? said
    : null
}

const proofOf = (
  keyring: Keyring,
  tenantId: TenantId,
  text: string,
  kid = keyring.current.kid,
): string => keyring.mac('test-result', `${tenantId}\0${text}`, kid)
