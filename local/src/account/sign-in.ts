import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '@gatehouse/contract'
import { request } from '../api/request.ts'
import { either, Problem } from '../problem.ts'
import { lockAccount } from './access-token.ts'
import { readAccount, type Tokens, writeAccount } from './account-file.ts'
import { type AuthorizationServer, authorizationServer } from './authorization-server.ts'
import { type Callback, loopback } from './loopback.ts'
import { isKnownClient, registerClient } from './register.ts'
import { requestTokens } from './token-request.ts'

/** As long as the service keeps the question open. */
const DECIDE_WITHIN_MS = 10 * 60_000

export interface SignInOptions {
  /** Shows the address to the person, and may open it for them. */
  readonly offer: (url: string) => void
  readonly signal: AbortSignal
  /** A client that an unfinished creation was asked for with: the same one finds it again. */
  readonly clientId?: string
}

const secret = (): string => randomBytes(32).toString('base64url')

/** A person signs in, in their browser, and lets this machine act for them: OAuth with PKCE on a loopback port. */
export async function signIn(service: string, { offer, signal, clientId }: SignInOptions): Promise<void> {
  const server = await authorizationServer(service)
  const listener = await loopback()
  try {
    const [verifier, state] = [secret(), secret()]
    const request = { redirect_uri: listener.redirectUri, state, code_challenge: challengeOf(verifier) }
    const client = await clientFor(service, server, clientId, request)
    const answered = listener.callback(state)
    offer(authorizeUrl(service, server, client, request))
    const callback = await decision(answered, signal)
    try {
      const tokens = await exchange(service, server, { callback, client, verifier, redirectUri: listener.redirectUri })
      await lockAccount(service, () => writeAccount({ service, client_id: client, tokens }))
      callback.say('You are signed in', 'Go back to the terminal. You can close this window.')
    } catch (error) {
      callback.say('Not signed in', 'The terminal says why. You can close this window.')
      throw error
    }
  } finally {
    listener.close()
  }
}

interface Asked {
  readonly redirect_uri: string
  readonly state: string
  readonly code_challenge: string
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function authorizeUrl(service: string, server: AuthorizationServer, client: string, asked: Asked): string {
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    ...asked,
    code_challenge_method: 'S256',
    scope: SCOPES.join(' '),
    resource: `${service}/mcp`,
    // What is created here is to be owned: a guest needs no sign-in.
    account_required: 'true',
  }).toString()
  return url.href
}

/** The client we were before, if the service still knows it; else a new one. */
async function clientFor(
  service: string,
  server: AuthorizationServer,
  hint: string | undefined,
  asked: Asked,
): Promise<string> {
  for (const known of [hint, (await readAccount(service))?.client_id]) {
    if (known === undefined) continue
    const looked = await request(service, 'GET', authorizeUrl(service, server, known, asked))
    if (isKnownClient(looked)) return known
  }
  return registerClient(service, server)
}

async function decision(answered: Promise<Callback>, signal: AbortSignal): Promise<Callback> {
  const over = new AbortController()
  const timeUp = sleep(DECIDE_WITHIN_MS, null, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => null)
  const callback = await Promise.race([answered, timeUp])
  over.abort()
  if (callback !== null) return callback
  throw signal.aborted
    ? new Problem('interrupted', 'Stopped before anybody signed in.', either('Nothing was changed.'))
    : new Problem('signInTimedOut', 'Nobody signed in within ten minutes.', either('Start again when you are ready.'))
}

interface Exchange {
  readonly callback: Callback
  readonly client: string
  readonly verifier: string
  readonly redirectUri: string
}

async function exchange(service: string, server: AuthorizationServer, given: Exchange): Promise<Tokens> {
  const { parameters } = given.callback
  const code = parameters.get('code')
  // An answer of another server, sent here to have its code exchanged at ours or ours at its (RFC 9207).
  const isOurs = parameters.get('iss') === service
  if (!isOurs || code === null) {
    const isNo = isOurs && parameters.get('error') === 'access_denied'
    const message = isNo ? 'You said no, so nobody is signed in.' : 'The sign-in did not succeed.'
    throw new Problem('signInDenied', message, {
      cli: 'Nothing was created. Run gatehouse-local init --account to try again, or gatehouse-local init to go on as a guest.',
      agent: 'Nothing was created. Ask the user what to do.',
    })
  }
  return requestTokens(service, server.token_endpoint, {
    grant_type: 'authorization_code',
    code,
    code_verifier: given.verifier,
    redirect_uri: given.redirectUri,
    client_id: given.client,
  })
}
