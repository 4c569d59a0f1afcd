import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '@gatehouse-auth/contract'
import { z } from 'zod'
import { type ApiResponse, request, unexpectedResponse } from '../api/request.ts'
import { interrupted, interruption } from '../interruption.ts'
import { commandLine } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem } from '../problem.ts'
import { readAccount, type Tokens, writeAccount } from './account-file.ts'
import { type Callback, listenOnLoopback, REDIRECT_URI } from './loopback.ts'
import {
  type AuthorizationServer,
  authorizationServer,
  oauthError,
  postForm,
  requestTokens,
  withAccountLock,
} from './token-request.ts'

/** The lifetime of an authorization request at the service. */
const TIMEOUT_MS = 10 * 60_000

interface SignInOptions {
  /** Shows the authorization URL to the user. */
  readonly showUrl: (url: string) => void
}

const randomSecret = (): string => randomBytes(32).toString('base64url')

/** Signs the user in with their browser: authorization code flow with PKCE and a loopback redirect. */
export async function signIn(service: string, { showUrl }: SignInOptions): Promise<void> {
  const server = await authorizationServer(service)
  const listener = await listenOnLoopback()
  try {
    const verifier = randomSecret()
    const state = randomSecret()
    const authorization: AuthorizationRequest = {
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: challengeOf(verifier),
    }

    const client = await clientFor(service, server, authorization)
    const redirected = listener.callback(state)
    showUrl(authorizeUrl(service, server, client, authorization))
    const callback = await withTimeout(redirected)

    await finish(service, server, {
      callback,
      client,
      verifier,
      redirectUri: listener.redirectUri,
    })
  } finally {
    listener.close()
  }
}

/** Stores the tokens of the account, and says in the browser how the sign-in ended. */
async function finish(
  service: string,
  server: AuthorizationServer,
  given: Exchange,
): Promise<void> {
  const { callback, client } = given
  try {
    const tokens = await exchange(service, server, given)
    await withAccountLock(service, () => writeAccount({ service, client_id: client, tokens }))
    callback.respond('You are signed in', 'Go back to the terminal. You can close this window.')
  } catch (error) {
    callback.respond('Not signed in', 'The terminal shows the reason. You can close this window.')
    throw error
  }
}

interface AuthorizationRequest {
  readonly redirect_uri: string
  readonly state: string
  readonly code_challenge: string
}

const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

function authorizeUrl(
  service: string,
  server: AuthorizationServer,
  client: string,
  authorization: AuthorizationRequest,
): string {
  const url = new URL(server.authorization_endpoint)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    ...authorization,
    code_challenge_method: 'S256',
    scope: SCOPES.join(' '),
    resource: `${service}/mcp`,
    // Rejects a guest grant: this sign-in is for creating tenants that an account owns.
    account_required: 'true',
  }).toString()
  return url.href
}

/** The client id of the account file, if the service still knows it; otherwise a new registration. */
async function clientFor(
  service: string,
  server: AuthorizationServer,
  authorization: AuthorizationRequest,
): Promise<string> {
  const account = await readAccount(service)
  if (account === null) {
    return registerClient(service, server)
  }
  const address = authorizeUrl(service, server, account.client_id, authorization)
  const response = await request(service, 'GET', address)
  return isKnownClient(response) ? account.client_id : registerClient(service, server)
}

async function withTimeout(redirected: Promise<Callback>): Promise<Callback> {
  const done = new AbortController()
  const timeout = sleep(TIMEOUT_MS, null, {
    signal: AbortSignal.any([interruption, done.signal]),
  }).catch(() => null)
  const callback = await Promise.race([redirected, timeout])
  done.abort()
  if (callback !== null) {
    return callback
  }

  if (interruption.aborted) {
    throw interrupted('Nothing was changed.', 'Interrupted before the sign-in.')
  }
  throw new Problem(
    'signInTimedOut',
    'The sign-in timed out after ten minutes.',
    nextStep('Run the command again.'),
  )
}

interface Exchange {
  readonly callback: Callback
  readonly client: string
  readonly verifier: string
  readonly redirectUri: string
}

async function exchange(
  service: string,
  server: AuthorizationServer,
  given: Exchange,
): Promise<Tokens> {
  const { parameters } = given.callback
  // Mix-up attack: a response of another authorization server must not be exchanged here (RFC 9207).
  if (parameters.get('iss') !== service) {
    throw notSignedIn('The sign-in failed.')
  }

  const code = parameters.get('code')
  if (code === null) {
    const isDenied = parameters.get('error') === 'access_denied'
    throw notSignedIn(
      isDenied ? 'You denied the request, so you are not signed in.' : 'The sign-in failed.',
    )
  }

  return requestTokens(service, server.token_endpoint, {
    grant_type: 'authorization_code',
    code,
    code_verifier: given.verifier,
    redirect_uri: given.redirectUri,
    client_id: given.client,
  })
}

const notSignedIn = (message: string): Problem =>
  new Problem('signInDenied', message, {
    cli: `Nothing was created. To try again: ${commandLine('init --account')}. For a guest tenant: ${commandLine('init')}`,
    agent: 'Nothing was created. Ask the user what to do.',
  })

const Registered = z.object({ client_id: z.string().min(1) })

/** Dynamic client registration (RFC 7591). It grants no access: the user still has to consent. */
async function registerClient(
  service: string,
  { registration_endpoint }: AuthorizationServer,
): Promise<string> {
  const response = await request(service, 'POST', registration_endpoint, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Gatehouse on this computer',
      redirect_uris: [REDIRECT_URI],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }),
  })
  if (response.status !== 201 && response.status !== 200) {
    throw oauthError(service, response)
  }
  const registered = Registered.safeParse(parseJson(response.text))
  if (!registered.success) {
    throw unexpectedResponse(service)
  }
  return registered.data.client_id
}

/** The authorization endpoint redirects a known client, and responds with an error for one it has deleted. */
const isKnownClient = ({ status }: ApiResponse): boolean => status >= 300 && status < 400

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Best effort: the URL is printed too. Spawned without a shell, so the URL cannot inject a command. */
export function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

type SignedOut = 'signed-out' | 'signed-out-here-only' | 'not-signed-in'

/** Removes the tokens from this machine first, then revokes them at the service: an outage must not keep them on disk. */
export async function signOut(service: string): Promise<SignedOut> {
  return withAccountLock(service, async () => {
    const account = await readAccount(service)
    if (account === null || account.tokens === null) {
      return 'not-signed-in'
    }
    const { client_id, tokens } = account
    await writeAccount({ ...account, tokens: null })
    try {
      const { revocation_endpoint } = await authorizationServer(service)
      const { status } = await postForm(service, revocation_endpoint, {
        token: tokens.refresh_token,
        client_id,
      })
      return status === 200 ? 'signed-out' : 'signed-out-here-only'
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error
      }
      return 'signed-out-here-only'
    }
  })
}
