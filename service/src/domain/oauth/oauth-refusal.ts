import type { OAuthErrorName } from '@gatehouse/contract'

/** Those with a body of their own, and one that only ever travels in a redirect. */
export type OAuthError = OAuthErrorName | 'unsupported_response_type'

/** We say no, in OAuth's words. Never with a secret, or with what was sent: descriptions end in logs and on pages. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly error: OAuthError

  constructor(error: OAuthError, description: string) {
    super(description)
    this.error = error
  }
}
