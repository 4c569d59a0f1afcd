import { type SignedIn, signedIn } from '../account/access-token.ts'
import { signInNeeded } from '../account/token-request.ts'
import { createGuest, createOwned } from '../api/tenants.ts'
import { forgetPending, pendingCreation } from '../credentials/pending.ts'
import { Problem } from '../problem.ts'

/** Who the tenant is for: nobody yet, or whoever signed in on this machine. */
export type Creator = { readonly kind: 'guest' } | { readonly kind: 'account'; readonly account: SignedIn }

/** The account, if somebody is signed in; else a guest. */
export async function currentAccount(service: string): Promise<Creator> {
  const account = await signedIn(service)
  return account === null ? { kind: 'guest' } : { kind: 'account', account }
}

/** Creates the tenant and returns its credentials file. */
export async function contentFor(creator: Creator, root: string, service: string): Promise<string> {
  if (creator.kind === 'guest') return createGuest(service)
  const { account } = creator
  const { idempotencyKey } = await pendingCreation(root, service, account.clientId)
  try {
    return await createOwned(service, account.accessToken, idempotencyKey)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'insufficientScope') throw signInNeeded(service, 'Your sign-in does not allow creating tenants.')
    // What this name once created was deleted since. It would answer so for ever; the next attempt gets a new name.
    if (error.code === 'tenantExpired') await forgetPending(root)
    if (error.code !== 'invalidAccessToken') throw error
    const again = await signedIn(service, account.accessToken)
    if (again === null) throw signInNeeded(service, 'Your sign-in has ended.')
    return createOwned(service, again.accessToken, idempotencyKey)
  }
}
