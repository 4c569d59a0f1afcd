import { STATUS_CODES } from 'node:http'
import { type ErrorEntry, errorEntries } from './error-entries.ts'

/** `/docs/errors`, the target of every `docs_url`: the cause of each code, the fix and an example. */
export function errorsMarkdown(baseUrl: string, development: boolean): string {
  const byStatus = Object.entries(Object.groupBy(errorEntries(baseUrl, development), ({ status }) => status))
  return [
    '# Errors',
    'Every API error has a stable code. Decide by the code; show the message to a person.',
    FIELDS,
    'If you see a code in an error page or a log, add it to the address of this page: `/docs/errors#rateLimited`. The field `docs_url` of an error is that link.',
    ...byStatus.flatMap(([status, entries = []]) => [
      `## ${status} ${STATUS_CODES[status]}`,
      ...entries.map(entryMarkdown),
    ]),
  ].join('\n\n')
}

const FIELDS = [
  '| Field | Meaning |',
  '|---|---|',
  '| `code` | One of the codes below. |',
  '| `message` | What happened and what to do about it. The wording may change. |',
  '| `retryable` | `true` if the same request may succeed later. Wait as long as `Retry-After` says. |',
  '| `request_id` | Also in the `X-Request-Id` header. Quote it when you ask for help. |',
  '| `docs_url` | The entry on this page. |',
  '| `details` | Optional. Facts about this case, such as which limit is used up. |',
].join('\n')

const entryMarkdown = ({ code, status, retryable, cause, fix, example, operations }: ErrorEntry): string =>
  [
    `### \`${code}\` {#${code}}`,
    `**Cause:** ${cause}`,
    `**Fix:** ${fix}${retryable ? ' The same request may succeed later.' : ''}`,
    `\`\`\`json title=${status}\n${example}\n\`\`\``,
    returnedBy(operations),
  ]
    .filter((part) => part !== '')
    .join('\n\n')

const LISTED = 4

/** The first operations that return the code; empty if only pages do. */
function returnedBy(operations: ErrorEntry['operations']): string {
  const links = operations.slice(0, LISTED).map(({ name, path }) => `[\`${name}\`](${path})`)
  if (links.length === 0) return ''
  const more = operations.length - links.length
  return `Returned by ${links.join(', ')}${more > 0 ? ` and ${more} more operations` : ''}.`
}
