import { STATUS_CODES } from 'node:http'
import { API_ERRORS, type ApiErrorCode, endpointsOf } from '@gatehouse-auth/contract'
import { defined } from '../../../domain/defined.ts'
import { ENGLISH } from '../../pages/languages/language.ts'
import { readContent } from './content.ts'
import { operationPath } from './operations.ts'

/** `/docs/errors`, the target of every `docs_url`: the cause of each code, the fix and an example. */
export function errorsMarkdown(baseUrl: string, development: boolean): string {
  const byStatus = Object.entries(
    Object.groupBy(errorEntries(baseUrl, development), ({ status }) => status),
  )
  const sections = byStatus.flatMap(([status, entries = []]) => [
    `## ${status} ${STATUS_CODES[status]}`,
    ...entries.map(entryMarkdown),
  ])
  return readContent('docs/errors.md', baseUrl, { errors: sections.join('\n\n') })
}

/** A code of `/docs/errors`: its cause, the fix, an example, and the operations that return it. */
interface ErrorEntry {
  readonly code: string
  readonly status: number
  readonly retryable: boolean
  readonly cause: string
  readonly fix: string
  /** The body of a response. */
  readonly example: string
  readonly operations: readonly { readonly name: string; readonly path: string }[]
}

const TITLES: Readonly<Record<string, string>> = ENGLISH.messages.errors.title

const entryMarkdown = ({
  code,
  status,
  retryable,
  cause,
  fix,
  example,
  operations,
}: ErrorEntry): string =>
  [
    `### \`${code}\` {#${code}}`,
    `**Cause:** ${cause}`,
    `**Fix:** ${fix}${retryable ? ' The same request may succeed later.' : ''}`,
    TITLES[code] === undefined ? '' : `**Page:** “${TITLES[code]}”`,
    `\`\`\`json title=${status}\n${example}\n\`\`\``,
    returnedBy(operations),
  ]
    .filter((part) => part !== '')
    .join('\n\n')

const LISTED = 4

/** The first operations that return the code; empty if only pages do. */
function returnedBy(operations: ErrorEntry['operations']): string {
  const links = operations.slice(0, LISTED).map(({ name, path }) => `[\`${name}\`](${path})`)
  if (links.length === 0) {
    return ''
  }
  const more = operations.length - links.length
  return `Returned by ${links.join(', ')}${more > 0 ? ` and ${more} more operations` : ''}.`
}

/** In the order of the contract, which is by status. */
const errorEntries = (baseUrl: string, development: boolean): readonly ErrorEntry[] =>
  Object.entries(API_ERRORS).map(([code, { status, retryable, meaning, remedy }]) => ({
    code,
    status,
    retryable,
    cause: meaning,
    fix: remedy,
    example: exampleOf(code as ApiErrorCode, retryable, baseUrl),
    operations: endpointsOf(development)
      .filter(({ errors }) => errors.includes(code as ApiErrorCode))
      .map(({ id, tag, method, path }) => ({
        name: `${method} ${path}`,
        path: operationPath(tag, id),
      })),
  }))

function exampleOf(code: ApiErrorCode, retryable: boolean, baseUrl: string): string {
  const { message = API_ERRORS[code].meaning.replaceAll('`', ''), details } =
    ERROR_EXAMPLES[code] ?? {}
  const error = {
    code,
    message,
    retryable,
    request_id: 'k3J9vQ0aXw7LmN2p',
    docs_url: `${baseUrl}/docs/errors#${code}`,
    ...defined({ details }),
  }
  return JSON.stringify({ error }, null, 2)
}

interface ErrorExample {
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Real responses, for codes whose message or `details` say more than the cause does. */
export const ERROR_EXAMPLES: Readonly<Partial<Record<ApiErrorCode, ErrorExample>>> = {
  invalidRequest: {
    message:
      'The body is not what this endpoint takes. callback_urls.0: Use https, or http for localhost.',
    details: {
      problems: [{ path: 'callback_urls.0', problem: 'Use https, or http for localhost.' }],
    },
  },
  invalidRedirectUri: {
    message:
      'redirect_uri matches no registered callback URL. The closest one differs in its path.',
    details: { closest: 'https://app.example.com/auth/callback', differs: 'path' },
  },
  missingCredentials: {
    message:
      'Send the management key (coh_management_key in the .service file) as Authorization: Bearer <…>.',
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
  methodNotAllowed: {
    message: 'This address takes GET, not DELETE.',
    details: { allow: ['GET'] },
  },
  bodyTooLarge: {
    message: 'The body is larger than 65536 bytes.',
  },
  unsupportedMediaType: {
    message: 'Send the body as Content-Type: application/json.',
  },
  metadataChanged: {
    message: 'The metadata was changed since you read it. Read it again, and send your change.',
  },
  rateLimited: {
    message: 'One source may create tenants 10 times a minute. Try again in 37 s.',
    details: { window: 'minute', limit: 10, left: 0 },
  },
}
