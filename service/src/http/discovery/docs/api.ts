import type { EndpointId } from '@gatehouse-auth/contract'
import { localTools } from '../../pages/package-commands.ts'
import type {
  ApiResponse,
  MediaType,
  OpenApi,
  Operation,
  Parameter,
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
  const { operationId, summary, description, deprecated, parameters = [] } = operation
  const baseUrl = baseUrlOf(document)

  const responses = responsesOf(document, operation)
  const successes = responses.filter(({ status }) => /^[23]/.test(status))
  const errors = responses.filter(({ status }) => /^[45]/.test(status))

  const parts = [
    `## ${titleOf(operation)} {#${operationId}}`,
    `\`${method} ${path}\``,
    deprecated ? `${summary}. **Deprecated.**` : `${summary}.`,
    description,
    `Credentials: ${credentialsOf(operation)}.`,
    parameterTable(parameters),
    requestBodyMarkdown(operation),
    `\`\`\`sh title=curl\n${curlExample(baseUrl, listed)}\n\`\`\``,
    sdkExample(operationId, baseUrl),
    ...successes.map(responseMarkdown),
    errorsMarkdown(errors),
  ]
  return parts.filter((part) => typeof part === 'string').join('\n\n')
}

const baseUrlOf = ({ servers }: OpenApi): string => servers[0]?.url ?? ''

type ResponseOfStatus = ApiResponse & { readonly status: string }

const responsesOf = (document: OpenApi, { responses }: Operation): ResponseOfStatus[] =>
  Object.entries(responses).map(([status, written]) => ({ status, ...resolve(document, written) }))

/** null without parameters. */
function parameterTable(parameters: readonly Parameter[]): string | null {
  if (parameters.length === 0) {
    return null
  }

  const rows = parameters.map(({ name, in: place, required, schema, description = '' }) => {
    const type = `${typeOf(schema)}${defaultOf(schema)}`
    const meaning = `${required ? 'Required. ' : ''}${cell(description)}`
    return `| \`${name}\` | ${place} | ${type} | ${meaning} |`
  })
  return ['| Parameter | In | Type | |', '|---|---|---|---|', ...rows].join('\n')
}

/** null without a body. */
function requestBodyMarkdown({ requestBody }: Operation): string | null {
  const [content] = Object.entries(requestBody?.content ?? {})
  if (content === undefined) {
    return null
  }

  const [type, { schema }] = content
  const name = requestBody?.required ? 'Body' : 'Optional body'
  return `${name}, \`${type}\`:\n\n${schemaTable(schema)}`
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

/** Headers that every response of the API has. */
const COMMON_HEADERS = ['API-Version', 'X-Request-Id']

function responseMarkdown(response: ResponseOfStatus): string {
  const { status, description, content = {}, headers = {} } = response
  const names = Object.keys(headers)
    .filter((name) => !COMMON_HEADERS.includes(name))
    .map((name) => `\`${name}\``)
  const named = names.length === 0 ? '' : ` Headers: ${names.join(', ')}.`
  const intro = `**${status}** ${description}${named}`

  const [body] = Object.entries(content)
  if (body === undefined) {
    return intro
  }

  const [type, media] = body
  return bodyMarkdown(`${intro} \`${type}\`:`, media)
}

function bodyMarkdown(intro: string, { schema, example }: MediaType): string {
  const shown =
    example === undefined ? null : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  return [intro, schemaTable(schema), shown].filter((part) => part !== null).join('\n\n')
}

/** The error codes of each status. */
function errorsMarkdown(responses: readonly ResponseOfStatus[]): string | null {
  const rows = responses.flatMap(({ status, content }) => {
    const codes = codesOf(content?.['application/json']?.schema)
    return codes.length === 0 ? [] : [`| ${status} | ${codes.join(', ')} |`]
  })
  if (rows.length === 0) {
    return null
  }
  return ['| Status | Errors |', '|---|---|', ...rows].join('\n')
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
function curlExample(baseUrl: string, { method, path, operation }: ListedOperation): string {
  const { parameters = [], requestBody, security, operationId } = operation
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []

  // A User-Agent that contains "curl" can't create tenants.
  const userAgent = operationId === 'createGuestTenant' ? '-A my-agent ' : ''
  const url = baseUrl + examplePath(path, parameters)
  const lines = [
    `curl ${userAgent}${methodFlag(method, media?.example)}'${url}'`,
    credentialFor(security[0])?.curl,
    ...bodyOf(type, media?.example),
  ]
  return lines.filter((line) => line !== undefined).join(' \\\n  ')
}

/** The path and query with the examples of the parameters. */
function examplePath(path: string, parameters: readonly Parameter[]): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) {
      continue
    }
    if (place === 'path') {
      filled = filled.replace(`{${name}}`, String(example))
    }
    if (place === 'query') {
      query.append(name, String(example))
    }
  }
  return query.size === 0 ? filled : `${filled}?${query}`
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

  const text = typeof example === 'string' ? example.trim() : JSON.stringify(example)
  return [header, `-d '${text}'`.replaceAll("\\'", '’')]
}

/** The example as a code block; undefined if neither the SDK nor the command line has the operation. */
function sdkExample(operationId: string, baseUrl: string): string | undefined {
  const code = SDK_EXAMPLES[operationId as EndpointId]
  if (code !== undefined) {
    return `\`\`\`js title=SDK\n${code}\n\`\`\``
  }

  const command = COMMAND_EXAMPLES[operationId as EndpointId]
  if (command === undefined) {
    return undefined
  }
  return `\`\`\`sh title=command-line\n${localTools(baseUrl)} ${command}\n\`\`\``
}
