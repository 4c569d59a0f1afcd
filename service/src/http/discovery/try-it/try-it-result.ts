import type { VerifiedUser } from '@gatehouse/contract'
import type { Keyring } from '../../../domain/tokens/keyring.ts'
import { constantTimeEqual } from '../../../domain/tokens/secret.ts'

const PURPOSE = 'try-it-result'

/** The result of a trial sign-in as a query. The MAC prevents a link that shows an invented user. */
export function signResult(keyring: Keyring, user: VerifiedUser): URLSearchParams {
  const text = JSON.stringify(user)
  return new URLSearchParams({ user: text, mac: keyring.mac(PURPOSE, text) })
}

/** null: not signed by this service. */
export function readResult(keyring: Keyring, query: URLSearchParams): VerifiedUser | null {
  const text = query.get('user') ?? ''
  const isSigned = constantTimeEqual(keyring.mac(PURPOSE, text), query.get('mac') ?? '')
  return isSigned ? (JSON.parse(text) as VerifiedUser) : null
}
