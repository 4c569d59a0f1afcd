import { type InputProblem, invalidRequest } from '../../domain/invalid-request.ts'
import { applePrivateKeyProblem, issuerProblem, relayProblem } from '../../domain/providers/client-fields.ts'
import type { ProviderCredentials } from '../../domain/providers/provider-credentials.ts'
import type { Resource } from '../../domain/stores/stores.ts'
import type { Context } from '../context.ts'

/** A client that the owner registered at the provider. */
export interface OwnClient {
  readonly credentials: ProviderCredentials
  /** Of an OpenID provider. */
  readonly displayName: string | null
  /** A relay of the app; null: our callback. */
  readonly redirectUri: string | null
}

/** Checks what a schema cannot. Throws one error that names every problem. */
export function checkOwnClient(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  { credentials, redirectUri }: OwnClient,
  { callbackUrls }: Pick<Resource, 'callbackUrls'>,
): void {
  const problems: InputProblem[] = []
  const check = (path: string, problem: string | null): void => {
    if (problem !== null) problems.push({ path, problem })
  }
  if (credentials.kind === 'oidc') check('issuer', issuerProblem(credentials.issuer, baseUrl))
  if (credentials.kind === 'apple') check('private_key', applePrivateKeyProblem(credentials.privateKey))
  if (redirectUri !== null) check('redirect_uri', relayProblem(redirectUri, callbackUrls))
  if (problems.length > 0) throw invalidRequest('This client cannot be used. Nothing was changed.', problems)
}
