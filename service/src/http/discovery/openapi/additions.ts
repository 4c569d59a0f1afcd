import type { EndpointId } from '@gatehouse/contract'
import type { HeaderName } from './headers.ts'
import type { Parameter, Variant } from './types.ts'

/** What an operation has besides the schemas of its endpoint in the contract. */
export interface Addition {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  /** The headers of the success response. */
  readonly headers?: readonly HeaderName[]
  /** The same request answered in another media type, kept apart so that generated clients have one type of success. */
  readonly variants?: readonly Variant[]
  /** A second success status with the same body. */
  readonly alsoStatus?: { readonly status: number; readonly description: string }
  /** Browsers get errors as HTML pages. */
  readonly pages?: true
}

const RATE: readonly HeaderName[] = ['RateLimit', 'RateLimitPolicy']

export const ADDITIONS: Readonly<Partial<Record<EndpointId, Addition>>> = {
  createGuestTenant: {
    description:
      'With `Accept: text/plain`, the response is the credentials file itself. Not idempotent: if the outcome is unclear, do not retry without asking the user. A `User-Agent` that contains `curl` is rejected.',
    headers: RATE,
    variants: [
      {
        when: 'Accept: text/plain',
        status: 201,
        description: 'The credentials file itself, to be written to `.service` as it is.',
        content: { 'text/plain': { schema: { type: 'string', description: 'The content of the `.service` file.' } } },
      },
    ],
  },
  bootstrapTenant: {
    alsoStatus: { status: 200, description: 'The key was used before: the same tenant and the same credentials.' },
  },
  requestClaim: { headers: RATE },
  createTestSession: { headers: RATE },
  leaveFeedback: { headers: RATE },
  reportForDiscount: { headers: RATE },
  listUsers: { headers: ['NextPage', 'TotalCount'] },
  listUserSessions: { headers: ['NextPage'] },
  listRemovals: { headers: ['NextPage'] },
  readUserMetadata: { headers: ['ETag'] },
  replaceUserMetadata: {
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        required: false,
        description: 'The `ETag` of the metadata that you read. Absent: replaces any.',
        schema: { type: 'string' },
      },
    ],
    headers: ['ETag'],
  },
  listEvents: { headers: ['NextPage'] },
  listAudit: { headers: ['NextPage'] },
  listWebhookDeliveries: { headers: ['NextPage'] },
  startLogin: {
    description:
      'A link for a browser. `redirect_uri` must match a registered callback URL; it defaults to the first one without a wildcard. `return_to` is a path of the app, passed back to the callback. Prefetches and `HEAD` get 503 and count nothing.',
    headers: ['Location', ...RATE],
    pages: true,
  },
  startProviderLogin: {
    description: 'As the login link for Google, for each provider that `GET /edge/auth/{tenantId}/providers` lists.',
    headers: ['Location', ...RATE],
    pages: true,
  },
  refreshSession: {
    description:
      'Store both new tokens. 429 and 503 never consume the old one. Send one refresh at a time per session.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'A retry within 60 seconds with the same key and the same token returns the same pair.',
        schema: { type: 'string', minLength: 8, maxLength: 128 },
      },
    ],
    headers: RATE,
  },
}
