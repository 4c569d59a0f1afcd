import { Problem } from '../problem.ts'
import { readAccount, writeAccount } from './account-file.ts'
import { withAccountLock } from './account-token.ts'
import { authorizationServer } from './authorization-server.ts'
import { postForm } from './token-request.ts'

export type SignedOut = 'signed-out' | 'signed-out-here-only' | 'not-signed-in'

/** Removes the tokens from this machine first, then revokes them at the service: an outage must not keep them on disk. */
export async function signOut(service: string): Promise<SignedOut> {
  return withAccountLock(service, async () => {
    const account = await readAccount(service)
    if (account === null || account.tokens === null) return 'not-signed-in'
    const { client_id, tokens } = account
    await writeAccount({ ...account, tokens: null })
    try {
      const { revocation_endpoint } = await authorizationServer(service)
      const { status } = await postForm(service, revocation_endpoint, { token: tokens.refresh_token, client_id })
      return status === 200 ? 'signed-out' : 'signed-out-here-only'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return 'signed-out-here-only'
    }
  })
}
