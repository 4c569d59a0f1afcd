import { LockHeldError, withLock } from '../credentials/lock.ts'
import { nextStep, Problem } from '../problem.ts'
import { type Account, accountPath, makeAccountFolder, readAccount, type Tokens, writeAccount } from './account-file.ts'
import { authorizationServer } from './authorization-server.ts'
import { requestTokens, signInNeeded } from './token-request.ts'

/** Refreshed this long before expiry, so that the token is still valid when the request arrives. */
const REFRESH_EARLY_MS = 60_000
const LOCK_WAIT_MS = 30_000

export interface AccountToken {
  readonly accessToken: string
  readonly clientId: string
}

/**
 * The access token of the account that is signed in on this machine, or null if none is. An ended sign-in throws a
 * Problem: falling back to a guest would create a tenant without its owner. `rejected`: a token that the service rejected.
 */
export async function accountToken(service: string, rejected?: string): Promise<AccountToken | null> {
  const account = await readAccount(service)
  if (account === null || account.tokens === null) return null
  if (isUsable(account.tokens, rejected))
    return { accessToken: account.tokens.access_token, clientId: account.client_id }

  // The service revokes the sign-in when a refresh token is used twice, so processes on this machine take a lock.
  return withAccountLock(service, async () => {
    const latest = await readAccount(service)
    if (latest === null || latest.tokens === null) throw signInNeeded(service, 'Your sign-in has ended.')
    const tokens = isUsable(latest.tokens, rejected) ? latest.tokens : await refresh(service, latest, latest.tokens)
    return { accessToken: tokens.access_token, clientId: latest.client_id }
  })
}

export async function withAccountLock<T>(service: string, work: () => Promise<T>): Promise<T> {
  const file = accountPath(service)
  try {
    await makeAccountFolder(service)
    return await withLock(`${file}.lock`, LOCK_WAIT_MS, work)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof LockHeldError || code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC') {
      const reason = error instanceof LockHeldError ? 'another program has locked it' : code
      const next = nextStep('Make the folder writable, or set XDG_CONFIG_HOME to another folder. Then try again.')
      throw new Problem('notWritable', `Your sign-in cannot be stored in ${file}: ${reason}.`, next, { cause: error })
    }
    throw error
  }
}

const isUsable = ({ access_token, expires_at_ms }: Tokens, rejected: string | undefined): boolean =>
  access_token !== rejected && expires_at_ms - Date.now() > REFRESH_EARLY_MS

async function refresh(service: string, account: Account, { refresh_token }: Tokens): Promise<Tokens> {
  const { token_endpoint } = await authorizationServer(service)
  const fields = { grant_type: 'refresh_token', refresh_token, client_id: account.client_id }
  const tokens = await requestTokens(service, token_endpoint, fields)
  await writeAccount({ ...account, tokens })
  return tokens
}
