/** Every way the authorization server says no, in the names of its RFCs: 6749, 7009, 7591, 8707. */
export type OAuthError =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'too_many_requests'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** We say no, in OAuth's words. Never with a secret, or with what was sent: descriptions end in logs and on pages. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly error: OAuthError

  constructor(error: OAuthError, description: string) {
    super(description)
    this.error = error
  }
}
