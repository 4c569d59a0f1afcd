import { type AccountToken, accountToken } from '../account/account-token.ts'
import { signInNeeded } from '../account/token-request.ts'
import { createGuest, createOwned } from '../api/tenants.ts'
import { pendingCreation, removePending } from '../credentials/pending.ts'
import { interrupted } from '../interruption.ts'
import { commandLine } from '../invocation.ts'
import { Problem } from '../problem.ts'

export type Creator = { readonly kind: 'guest' } | { readonly kind: 'account'; readonly account: AccountToken }

/** The account that is signed in on this machine, otherwise a guest. */
export async function accountOrGuest(service: string): Promise<Creator> {
  const account = await accountToken(service)
  return account === null ? { kind: 'guest' } : { kind: 'account', account }
}

/** Creates the tenant and returns its credentials file. */
export async function createCredentials(creator: Creator, root: string, service: string): Promise<string> {
  if (creator.kind === 'guest') return createGuest(service)
  const { account } = creator
  const { idempotencyKey } = await pendingCreation(root, service, account.clientId)
  try {
    return await createOwned(service, account.accessToken, idempotencyKey)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'insufficientScope') throw signInNeeded(service, 'Your sign-in does not allow creating tenants.')
    if (error.code === 'interrupted') {
      throw interrupted(`To finish the creation without a second tenant, run: ${commandLine('init --account')}`)
    }
    // The tenant of this idempotency key was deleted, so the key fails permanently. The next creation uses a new key.
    if (error.code === 'tenantExpired') await removePending(root)
    if (error.code !== 'invalidAccessToken') throw error
    const refreshed = await accountToken(service, account.accessToken)
    if (refreshed === null) throw signInNeeded(service, 'Your sign-in has ended.')
    return createOwned(service, refreshed.accessToken, idempotencyKey)
  }
}
