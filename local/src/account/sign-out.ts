import { Problem } from '../problem.ts'
import { lockAccount } from './access-token.ts'
import { readAccount, writeAccount } from './account-file.ts'
import { authorizationServer } from './authorization-server.ts'
import { postForm } from './token-request.ts'

export type SignedOut = 'signed-out' | 'signed-out-here-only' | 'nobody'

/** Ends the sign-in, there and here. Here in any case: a service that is away must not keep a token on the disk. */
export async function signOut(service: string): Promise<SignedOut> {
  return lockAccount(service, async () => {
    const account = await readAccount(service)
    if (account === null || account.tokens === null) return 'nobody'
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
