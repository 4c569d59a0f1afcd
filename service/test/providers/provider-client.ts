import type { TestContext } from 'node:test'
import type { SignIn } from '../../src/domain/login/identity-provider.ts'
import { type GoogleConfig, google } from '../../src/identity/providers/google.ts'
import {
  CLIENT_ID,
  NONCE,
  type Script,
  type ScriptedProvider,
  scriptedProvider,
} from '../support/faults/scripted-provider.ts'
import { HANG_TIMEOUT_MS } from '../support/process/wait-until.ts'

// Our OpenID Connect client against a scripted provider.

export const CLIENT_SECRET = 'client-secret-that-no-log-may-show'
export const CODE_VERIFIER = 'verifier-that-no-log-may-show-000000000000000'
export const CODE = 'code-that-no-log-may-show'
/** Longer than any of these tests takes, so that the speed of the machine decides none of them. */
export const DEADLINE_MS = HANG_TIMEOUT_MS

export const client = (issuer: string, change: Partial<GoogleConfig> = {}) =>
  google({
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    deadlineMs: DEADLINE_MS,
    ...change,
  })

/** A provider callback with this query. */
export const callback = (query: Readonly<Record<string, string>> = { code: CODE }) => ({
  state: 'the-state',
  nonce: NONCE,
  codeVerifier: CODE_VERIFIER,
  currentUrl: new URL(
    `https://gatehouse.example/callback?${new URLSearchParams({ state: 'the-state', ...query })}`,
  ),
})

export const summary = (result: SignIn): string =>
  result.outcome === 'failed' ? `${result.stage}: ${result.errorCode}` : result.outcome

/** One login against a provider with these scripted responses. */
export async function signInAgainst(
  t: TestContext,
  prepare: (provider: ScriptedProvider) => void,
  change: Partial<GoogleConfig> = {},
): Promise<{ readonly result: SignIn; readonly provider: ScriptedProvider }> {
  const provider = await scriptedProvider(t)
  prepare(provider)
  return { result: await client(provider.issuer, change).signIn(callback()), provider }
}

export const hangUp: Script = (req) => req.socket.destroy()
