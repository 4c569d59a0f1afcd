import type { OpenApi } from '../../openapi/types.ts'
import { API_GROUPS, operationPath, SCHEMAS_PATH } from './groups.ts'
import { operationMarkdown } from './operation-markdown.ts'
import { cell, operationsOf, titleOf } from './operations.ts'
import { schemaTable } from './schema-markdown.ts'

// The API reference as Markdown, generated from the OpenAPI document.

export const apiIndexMarkdown = (document: OpenApi): string =>
  [
    '# API reference',
    'Every operation, generated from [the OpenAPI document](/openapi.json), which is generated from the schemas that validate every request. Requests and responses are JSON. Times are ISO 8601 in UTC, unless a name ends in `_ms`.',
    'Every response under `/api` and `/edge` has the headers `API-Version` and `X-Request-Id`. Every error there has [the same shape and a stable code](/docs/errors).',
    'The examples with curl read the keys from the file `.service` of your project. Those with the SDK begin with these lines:',
    `\`\`\`js title=gatehouse.js\n${sdkSetUp(document.servers[0]?.url ?? '')}\n\`\`\``,
    ...API_GROUPS.filter(({ tag }) => operationsOf(document, tag).length > 0).flatMap(({ tag, path, summary }) => [
      `## ${tag}`,
      `${summary} [All of ${tag}](${path})`,
      operationTable(document, tag),
    ]),
    `Objects that several operations share are described at [Schemas](${SCHEMAS_PATH}).`,
  ].join('\n\n')

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
    ...Object.entries(components.schemas).map(([name, schema]) => `## ${name} {#${name}}\n\n${schemaTable(schema)}`),
  ].join('\n\n')

const sdkSetUp = (baseUrl: string): string =>
  [
    "import { createClient } from '@gatehouse/sdk'",
    "import { createManagement } from '@gatehouse/sdk/management'",
    '',
    `const baseUrl = '${baseUrl}'`,
    'export const client = createClient({ baseUrl, tenantId: process.env.GATEHOUSE_TENANT })',
    'export const management = createManagement({ baseUrl, key: process.env.GATEHOUSE_MANAGEMENT_KEY })',
  ].join('\n')
