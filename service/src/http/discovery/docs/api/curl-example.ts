import type { OpenApi } from '../../openapi/types.ts'
import type { ListedOperation } from './operations.ts'

/** Where each credential of an example comes from. A management key is read from `.service`, so it isn't in the shell history. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  managementKey: `-H "Authorization: Bearer $(sed -n 's/^coh_management_key=//p' .service)"`,
  edgeSession: '-H "Authorization: Bearer $EDGE_TOKEN"',
  waitToken: '-H "Authorization: Bearer $WAIT_TOKEN"',
  oauth: '-H "Authorization: Bearer $ACCESS_TOKEN"',
  accountSession: '-b "gatehouse_account=$SESSION_COOKIE"',
}

/** The example of an operation as a command. */
export function curlExample({ servers }: OpenApi, { method, path, operation }: ListedOperation): string {
  const { parameters = [], requestBody, security, operationId } = operation
  const example = (where: string) =>
    parameters.flatMap(({ name, in: place, example: value }) =>
      place === where && value !== undefined ? [[name, String(value)] as const] : [],
    )
  const filled = example('path').reduce((url, [name, value]) => url.replace(`{${name}}`, value), path)
  const query = new URLSearchParams([...example('query')] as [string, string][])
  const url = `${servers[0]?.url ?? ''}${filled}${query.size === 0 ? '' : `?${query}`}`
  const [scheme = ''] = Object.keys(security[0] ?? {})
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return [
    // A User-Agent that contains "curl" can't create tenants.
    `curl ${operationId === 'createGuestTenant' ? '-A my-agent ' : ''}${methodFlag(method, media?.example)}'${url}'`,
    CREDENTIALS[scheme],
    ...bodyOf(type, media?.example),
  ]
    .filter((part) => part !== undefined)
    .join(' \\\n  ')
}

/** curl sends POST by itself when there is a body. */
const methodFlag = (method: string, body: unknown): string =>
  method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `

function bodyOf(type: string | undefined, example: unknown): string[] {
  if (type === undefined) return []
  const header = `-H 'Content-Type: ${type}'`
  if (type === 'image/png') return [header, '--data-binary @logo.png']
  if (example === undefined) return []
  if (type === 'application/x-www-form-urlencoded') {
    return Object.entries(example as Record<string, string>).map(([name, value]) => `-d '${name}=${value}'`)
  }
  return [
    header,
    `-d '${typeof example === 'string' ? example.trim() : JSON.stringify(example)}'`.replaceAll("\\'", '’'),
  ]
}
