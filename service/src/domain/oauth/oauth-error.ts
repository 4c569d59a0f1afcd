import type { OAuthErrorName, OAuthRedirectErrorName } from '@gatehouse/contract'

/** Those that have a body, and those that travel in a redirect. */
export type OAuthErrorCode = OAuthErrorName | OAuthRedirectErrorName

/** We say no, in OAuth's words. Never with a secret, or with what was sent: descriptions end in logs and on pages. */
export class OAuthError extends Error {
  override readonly name = 'OAuthRefusal'
  readonly error: OAuthErrorCode

  constructor(error: OAuthErrorCode, description: string) {
    super(description)
    this.error = error
  }
}
