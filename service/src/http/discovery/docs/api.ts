import type { EndpointId } from '@gatehouse-auth/contract'
import { localTools } from '../../pages/package-commands.ts'
import type {
  ApiResponse,
  MediaType,
  OpenApi,
  Operation,
  Ref,
  Schema,
  SecurityRequirement,
  SecuritySchemeName,
} from '../openapi/types.ts'
import {
  COMMAND_EXAMPLES,
  CREDENTIAL_EXAMPLES,
  type CredentialExample,
  SDK_EXAMPLES,
} from './call-examples.ts'
import { readContent } from './content.ts'
import {
  API_GROUPS,
  cell,
  type ListedOperation,
  operationPath,
  operationsOf,
  titleOf,
} from './operations.ts'
import { schemaTable, typeOf } from './schema-markdown.ts'

// The API reference as Markdown, generated from the OpenAPI document.

export function apiIndexMarkdown(document: OpenApi, baseUrl: string): string {
  const groups = API_GROUPS.filter(({ tag }) => operationsOf(document, tag).length > 0)
  const sections = groups.flatMap(({ tag, path, summary }) => [
    `## ${tag}`,
    `${summary} [All of ${tag}](${path})`,
    operationTable(document, tag),
  ])
  return readContent('docs/api.md', baseUrl, { operations: sections.join('\n\n') })
}

function operationTable(document: OpenApi, tag: string): string {
  const rows = operationsOf(document, tag).map(
    ({ path, method, operation }) =>
      `| [${titleOf(operation)}](${operationPath(tag, operation.operationId)}) | \`${method} ${path}\` ${cell(operation.summary)}. |`,
  )
  return ['| Operation | What it does |', '|---|---|', ...rows].join('\n')
}

export const apiGroupMarkdown = (document: OpenApi, tag: string): string =>
  [
    `# ${tag}`,
    API_GROUPS.find((group) => group.tag === tag)?.summary ?? '',
    ...operationsOf(document, tag).map((listed) => operationMarkdown(document, listed)),
  ].join('\n\n')

export const apiSchemasMarkdown = ({ components }: OpenApi): string =>
  [
    '# Schemas',
    'The objects that several operations share.',
    ...Object.entries(components.schemas).map(
      ([name, schema]) => `## ${name} {#${name}}\n\n${schemaTable(schema)}`,
    ),
  ].join('\n\n')

/** One operation: its request, examples, responses and errors. */
function operationMarkdown(document: OpenApi, listed: ListedOperation): string {
  const { method, path, operation } = listed
  const { parameters = [], requestBody, responses } = operation
  const resolved = Object.entries(responses).map(([status, written]) => ({
    status,
    ...resolve(document, written),
  }))
  const body = requestBody && Object.entries(requestBody.content)[0]
  return [
    `## ${titleOf(operation)} {#${operation.operationId}}`,
    `\`${method} ${path}\``,
    `${operation.summary}.${operation.deprecated ? ' **Deprecated.**' : ''}`,
    operation.description,
    `Credentials: ${credentialsOf(operation)}.`,
    parameters.length > 0 &&
      [
        '| Parameter | In | Type | |',
        '|---|---|---|---|',
        ...parameters.map(
          ({ name, in: where, required, schema, description = '' }) =>
            `| \`${name}\` | ${where} | ${typeOf(schema)}${defaultOf(schema)} | ${required ? 'Required. ' : ''}${cell(description)} |`,
        ),
      ].join('\n'),
    body &&
      `${requestBody.required ? 'Body' : 'Optional body'}, \`${body[0]}\`:\n\n${schemaTable(body[1].schema)}`,
    `\`\`\`sh title=curl\n${curlExample(document, listed)}\n\`\`\``,
    sdkExample(operation.operationId, document.servers[0]?.url ?? ''),
    ...resolved.filter(({ status }) => /^[23]/.test(status)).map(responseMarkdown),
    errorsMarkdown(resolved.filter(({ status }) => /^[45]/.test(status))),
  ]
    .filter((part) => typeof part === 'string')
    .join('\n\n')
}

const credentialsOf = ({ security }: Operation): string =>
  security.length === 0
    ? 'none'
    : security.map((requirement) => credentialFor(requirement)?.text ?? 'none').join(', or ')

/** Each operation needs one credential at most. */
function credentialFor(requirement: SecurityRequirement = {}): CredentialExample | undefined {
  const [scheme] = Object.keys(requirement) as SecuritySchemeName[]
  return scheme && CREDENTIAL_EXAMPLES[scheme]
}

function responseMarkdown({
  status,
  content = {},
  description,
  headers = {},
}: ApiResponse & { status: string }): string {
  const names = Object.keys(headers).filter(
    (name) => name !== 'API-Version' && name !== 'X-Request-Id',
  )
  const headerNames =
    names.length === 0 ? '' : ` Headers: ${names.map((name) => `\`${name}\``).join(', ')}.`
  const [type, media] = Object.entries(content)[0] ?? []
  const intro = `**${status}** ${description}${headerNames}${type === undefined ? '' : ` \`${type}\`:`}`
  return media === undefined ? intro : bodyMarkdown(intro, media)
}

function bodyMarkdown(intro: string, { schema, example }: MediaType): string {
  const shown =
    example === undefined ? null : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  return [intro, schemaTable(schema), shown].filter((part) => part !== null).join('\n\n')
}

/** The error codes of each status. */
function errorsMarkdown(
  responses: readonly (ApiResponse & { readonly status: string })[],
): string | null {
  const rows = responses.flatMap(({ status, content }) => {
    const codes = codesOf(content?.['application/json']?.schema)
    return codes.length === 0 ? [] : [`| ${status} | ${codes.join(', ')} |`]
  })
  return rows.length === 0 ? null : ['| Status | Errors |', '|---|---|', ...rows].join('\n')
}

interface Narrowed {
  readonly allOf?: readonly { readonly properties?: { readonly error?: Schema } }[]
}

function codesOf(schema: Schema | undefined): string[] {
  const error = (schema as Narrowed | undefined)?.allOf?.[1]?.properties?.error ?? {}
  if (Array.isArray(error.enum)) {
    return error.enum.map((name) => `\`${name}\``)
  }
  const { code } = (error.properties ?? {}) as { code?: { enum?: readonly string[] } }
  return (code?.enum ?? []).map((name) => `[\`${name}\`](/docs/errors#${name})`)
}

const resolve = ({ components }: OpenApi, written: ApiResponse | Ref): ApiResponse =>
  '$ref' in written
    ? (components.responses[written.$ref.split('/').at(-1) ?? ''] ?? { description: '' })
    : written

const defaultOf = (schema: Schema): string =>
  schema.default === undefined ? '' : `, default ${schema.default}`

/** The example of an operation as a command. */
function curlExample({ servers }: OpenApi, { method, path, operation }: ListedOperation): string {
  const { parameters = [], requestBody, security, operationId } = operation
  const example = (where: string) =>
    parameters.flatMap(({ name, in: place, example: value }) =>
      place === where && value !== undefined ? [[name, String(value)] as const] : [],
    )
  const filled = example('path').reduce(
    (url, [name, value]) => url.replace(`{${name}}`, value),
    path,
  )
  const query = new URLSearchParams([...example('query')] as [string, string][])
  const url = `${servers[0]?.url ?? ''}${filled}${query.size === 0 ? '' : `?${query}`}`
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return [
    // A User-Agent that contains "curl" can't create tenants.
    `curl ${operationId === 'createGuestTenant' ? '-A my-agent ' : ''}${methodFlag(method, media?.example)}'${url}'`,
    credentialFor(security[0])?.curl,
    ...bodyOf(type, media?.example),
  ]
    .filter((part) => part !== undefined)
    .join(' \\\n  ')
}

/** curl sends POST by itself when there is a body. */
const methodFlag = (method: string, body: unknown): string =>
  method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `

function bodyOf(type: string | undefined, example: unknown): string[] {
  if (type === undefined) {
    return []
  }
  const header = `-H 'Content-Type: ${type}'`
  if (type === 'image/png') {
    return [header, '--data-binary @logo.png']
  }
  if (example === undefined) {
    return []
  }
  if (type === 'application/x-www-form-urlencoded') {
    return Object.entries(example as Record<string, string>).map(
      ([name, value]) => `-d '${name}=${value}'`,
    )
  }
  return [
    header,
    `-d '${typeof example === 'string' ? example.trim() : JSON.stringify(example)}'`.replaceAll(
      "\\'",
      '’',
    ),
  ]
}

/** The example as a code block; undefined if neither the SDK nor the command line has the operation. */
function sdkExample(operationId: string, baseUrl: string): string | undefined {
  const code = SDK_EXAMPLES[operationId as EndpointId]
  if (code !== undefined) {
    return `\`\`\`js title=SDK\n${code}\n\`\`\``
  }
  const command = COMMAND_EXAMPLES[operationId as EndpointId]
  return command && `\`\`\`sh title=command-line\n${localTools(baseUrl)} ${command}\n\`\`\``
}
