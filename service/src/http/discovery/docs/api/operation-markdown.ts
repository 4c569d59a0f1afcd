import type { ApiResponse, MediaType, OpenApi, Operation, Ref, Schema } from '../../openapi/types.ts'
import { curlExample } from './curl-example.ts'
import { cell, type ListedOperation, titleOf } from './operations.ts'
import { schemaTable, typeOf } from './schema-markdown.ts'
import { sdkExample } from './sdk-examples.ts'

/** One operation: its request, examples, responses and errors. */
export function operationMarkdown(document: OpenApi, listed: ListedOperation): string {
  const { method, path, operation } = listed
  const { parameters = [], requestBody, responses } = operation
  const resolved = Object.entries(responses).map(([status, written]) => ({ status, ...resolve(document, written) }))
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
    body && `${requestBody.required ? 'Body' : 'Optional body'}, \`${body[0]}\`:\n\n${schemaTable(body[1].schema)}`,
    `\`\`\`sh title=curl\n${curlExample(document, listed)}\n\`\`\``,
    sdkExample(operation.operationId, document.servers[0]?.url ?? ''),
    ...resolved.filter(({ status }) => /^[23]/.test(status)).map(responseMarkdown),
    errorsMarkdown(resolved.filter(({ status }) => /^[45]/.test(status))),
  ]
    .filter((part) => typeof part === 'string')
    .join('\n\n')
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  managementKey: 'the management key, as `Authorization: Bearer svc_man_…`',
  edgeSession: 'an edge token, as `Authorization: Bearer svc_es_…`',
  waitToken: 'the wait token, as `Authorization: Bearer svc_wt_…`',
  accountSession: 'the session cookie of `/account`, in the owner’s browser',
  oauth: 'an OAuth access token, as `Authorization: Bearer mcp_at_…`',
}

const credentialsOf = ({ security }: Operation): string =>
  security.length === 0
    ? 'none'
    : security.map((scheme) => CREDENTIALS[Object.keys(scheme)[0] ?? ''] ?? 'none').join(', or ')

function responseMarkdown({
  status,
  content = {},
  description,
  headers = {},
}: ApiResponse & { status: string }): string {
  const names = Object.keys(headers).filter((name) => name !== 'API-Version' && name !== 'X-Request-Id')
  const headerNames = names.length === 0 ? '' : ` Headers: ${names.map((name) => `\`${name}\``).join(', ')}.`
  const [type, media] = Object.entries(content)[0] ?? []
  const intro = `**${status}** ${description}${headerNames}${type === undefined ? '' : ` \`${type}\`:`}`
  return media === undefined ? intro : bodyMarkdown(intro, media)
}

function bodyMarkdown(intro: string, { schema, example }: MediaType): string {
  const shown = example === undefined ? null : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  return [intro, schemaTable(schema), shown].filter((part) => part !== null).join('\n\n')
}

/** The error codes of each status. */
function errorsMarkdown(responses: readonly (ApiResponse & { readonly status: string })[]): string | null {
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
  if (Array.isArray(error.enum)) return error.enum.map((name) => `\`${name}\``)
  const { code } = (error.properties ?? {}) as { code?: { enum?: readonly string[] } }
  return (code?.enum ?? []).map((name) => `[\`${name}\`](/docs/errors#${name})`)
}

const resolve = ({ components }: OpenApi, written: ApiResponse | Ref): ApiResponse =>
  '$ref' in written ? (components.responses[written.$ref.split('/').at(-1) ?? ''] ?? { description: '' }) : written

const defaultOf = (schema: Schema): string => (schema.default === undefined ? '' : `, default ${schema.default}`)
