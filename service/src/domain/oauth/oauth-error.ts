import type { OAuthErrorName, OAuthRedirectErrorName } from '@gatehouse/contract'

/** Those that have a body, and those that travel in a redirect. */
export type OAuthError = OAuthErrorName | OAuthRedirectErrorName

/** We say no, in OAuth's words. Never with a secret, or with what was sent: descriptions end in logs and on pages. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly error: OAuthError

  constructor(error: OAuthError, description: string) {
    super(description)
    this.error = error
  }
}
