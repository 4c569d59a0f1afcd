import { Busy, withLock } from '../credentials/lock.ts'
import { either, Problem } from '../problem.ts'
import { type Account, accountPath, makeAccountFolder, readAccount, type Tokens, writeAccount } from './account-file.ts'
import { authorizationServer } from './authorization-server.ts'
import { requestTokens, signInNeeded } from './token-request.ts'

/** Refreshed this long before it ends, so that it is still good when it arrives. */
const EARLY_MS = 60_000
const LOCK_WAIT_MS = 30_000

export interface SignedIn {
  readonly accessToken: string
  readonly clientId: string
}

/**
 * An access token of whoever signed in on this machine; null when nobody did, or when they signed out. A sign-in that
 * has ended is a problem, and never silently a guest. `refused`: a token that the service did not take.
 */
export async function signedIn(service: string, refused?: string): Promise<SignedIn | null> {
  const account = await readAccount(service)
  if (account === null || account.tokens === null) return null
  if (isGood(account.tokens, refused)) return { accessToken: account.tokens.access_token, clientId: account.client_id }

  // A refresh token works once, and one that comes twice ends the sign-in: programs on this machine take turns.
  return lockAccount(service, async () => {
    const latest = await readAccount(service)
    if (latest === null || latest.tokens === null) throw signInNeeded(service, 'Your sign-in has ended.')
    const tokens = isGood(latest.tokens, refused) ? latest.tokens : await refresh(service, latest, latest.tokens)
    return { accessToken: tokens.access_token, clientId: latest.client_id }
  })
}

export async function lockAccount<T>(service: string, work: () => Promise<T>): Promise<T> {
  const file = accountPath(service)
  try {
    await makeAccountFolder(service)
    return await withLock(`${file}.lock`, LOCK_WAIT_MS, work)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof Busy || code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC') {
      const why = error instanceof Busy ? 'another program is using it' : code
      const next = either('Put that right, and try again. XDG_CONFIG_HOME names another folder for it.')
      throw new Problem('notWritable', `Your sign-in cannot be kept in ${file}: ${why}.`, next, { cause: error })
    }
    throw error
  }
}

const isGood = ({ access_token, expires_at_ms }: Tokens, refused: string | undefined): boolean =>
  access_token !== refused && expires_at_ms - Date.now() > EARLY_MS

async function refresh(service: string, account: Account, { refresh_token }: Tokens): Promise<Tokens> {
  const { token_endpoint } = await authorizationServer(service)
  const fields = { grant_type: 'refresh_token', refresh_token, client_id: account.client_id }
  const tokens = await requestTokens(service, token_endpoint, fields)
  await writeAccount({ ...account, tokens })
  return tokens
}
