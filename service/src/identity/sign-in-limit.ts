import type { IdentityProvider } from '../domain/login/identity-provider.ts'

/** Also bounds the outgoing requests, because a sign-in makes its requests one after another. */
const SIGN_INS_IN_FLIGHT = 200

/** Rejects a sign-in while too many wait for the provider, before the exchange, so that its code is not consumed. */
export function limitSignIns(identify: IdentityProvider['signIn']): IdentityProvider['signIn'] {
  let inFlight = 0
  return async (response) => {
    if (inFlight >= SIGN_INS_IN_FLIGHT) return { outcome: 'failed', stage: 'token_exchange', errorCode: 'busy' }
    inFlight += 1
    try {
      return await identify(response)
    } finally {
      inFlight -= 1
    }
  }
}
