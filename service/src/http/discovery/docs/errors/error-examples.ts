import type { ApiErrorCode } from '@gatehouse/contract'

export interface ErrorExample {
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Real responses, for codes whose message or `details` say more than the cause does. */
export const ERROR_EXAMPLES: Readonly<Partial<Record<ApiErrorCode, ErrorExample>>> = {
  invalidRequest: {
    message: 'The body is not what this endpoint takes. callback_urls.0: Use https, or http for localhost.',
    details: { problems: [{ path: 'callback_urls.0', problem: 'Use https, or http for localhost.' }] },
  },
  invalidRedirectUri: {
    message: 'redirect_uri matches no registered callback URL. The closest one differs in its path.',
    details: { closest: 'https://app.example.com/auth/callback', differs: 'path' },
  },
  missingCredentials: {
    message: 'Send the management key (coh_management_key in the .service file) as Authorization: Bearer <…>.',
  },
  tenantPaused: {
    message: 'This tenant has used its 100 auth events. Claim it to continue: POST /api/claim/url.',
    details: { pause_reason: 'auth_event_limit' },
  },
  bannedUserAgent: {
    message:
      'A User-Agent containing "curl" may not create tenants. Send the name of your agent instead, e.g. -A my-agent.',
  },
  unknownRoute: {
    message: 'There is nothing at this address. The nearest endpoint is GET /api/status.',
    details: { nearest: 'GET /api/status' },
  },
  methodNotAllowed: { message: 'This address takes GET, not DELETE.', details: { allow: ['GET'] } },
  bodyTooLarge: { message: 'The body is larger than 65536 bytes.' },
  unsupportedMediaType: { message: 'Send the body as Content-Type: application/json.' },
  metadataChanged: {
    message: 'The metadata was changed since you read it. Read it again, and send your change.',
  },
  rateLimited: {
    message: 'One source may create tenants 10 times a minute. Try again in 37 s.',
    details: { window: 'minute', limit: 10, left: 0 },
  },
}
