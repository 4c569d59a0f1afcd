import type { EndpointId } from '@gatehouse/contract'
import type { HeaderName } from './headers.ts'
import type { MediaType, Parameter } from './types.ts'

/** What an endpoint takes or answers beside the bodies that its contract describes. */
export interface Addition {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  /** On the answer that is not an error. */
  readonly headers?: readonly HeaderName[]
  /** The same answer in other media types. */
  readonly content?: Readonly<Record<string, MediaType>>
  /** The same body with another status, and when. */
  readonly alsoStatus?: { readonly status: number; readonly description: string }
  /** Errors are pages for browsers. */
  readonly pages?: true
}

const RATE: readonly HeaderName[] = ['RateLimit', 'RateLimitPolicy']

export const ADDITIONS: Readonly<Partial<Record<EndpointId, Addition>>> = {
  createGuestTenant: {
    description:
      'With `Accept: text/plain` the answer is the credentials file itself. Not safe to repeat: when the outcome is unclear, do not send it again by yourself. A `User-Agent` that contains `curl` is refused.',
    headers: RATE,
    content: {
      'text/plain': { schema: { type: 'string', description: 'The content of the `.service` file.' } },
    },
  },
  bootstrapTenant: {
    alsoStatus: { status: 200, description: 'This key was used before: the same tenant, the same credentials.' },
  },
  listUsers: { headers: ['NextPage'] },
  listEvents: { headers: ['NextPage'] },
  startLogin: {
    description:
      'A link for a browser, not for a program. `redirect_uri` must match a registered callback URL; without it the first one that has no wildcard is used. `return_to` is a path inside the app and comes back to the callback. Prefetches and `HEAD` are answered 503 and count nothing.',
    headers: ['Location', ...RATE],
    pages: true,
  },
  refreshSession: {
    description: 'Store both new tokens. 429 and 503 never use the old one up. Refresh once at a time for one session.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'Sent again within 60 seconds, with the same token, it returns the pair whose answer was lost.',
        schema: { type: 'string', minLength: 8, maxLength: 128 },
      },
    ],
    headers: RATE,
  },
}
