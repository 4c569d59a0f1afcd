import { STATUS_CODES } from 'node:http'
import { API_ERRORS, type ApiErrorCode, endpointsOf } from '@gatehouse-auth/contract'
import examples from '../../../../content/openapi/error-examples.json' with { type: 'json' }
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
export const ERROR_EXAMPLES: Readonly<Partial<Record<ApiErrorCode, ErrorExample>>> = examples
