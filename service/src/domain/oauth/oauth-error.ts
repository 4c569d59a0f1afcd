import type { OAuthErrorName, OAuthRedirectErrorName } from '@gatehouse-auth/contract'

/** Errors in response bodies and errors in redirects. */
export type OAuthErrorCode = OAuthErrorName | OAuthRedirectErrorName

/** An OAuth error. The description is logged and shown on pages, so it never contains a secret or user input. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly error: OAuthErrorCode

  constructor(error: OAuthErrorCode, description: string) {
    super(description)
    this.error = error
  }
}

/** The client may exist, but its metadata document can't be used. The description says why, also on the page. */
export class ClientDocumentError extends OAuthError {
  constructor(problem: string) {
    super('invalid_client', problem)
  }
}
