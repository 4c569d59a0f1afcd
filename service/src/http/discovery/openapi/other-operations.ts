import { headers, REST } from './headers.ts'
import type { ErrorResponses } from './refusal-responses.ts'
import type { ApiResponse, Operation, PathItem, Schema } from './types.ts'

const OBJECT: Schema = { type: 'object' }

const json = (schema: Schema) => ({ 'application/json': { schema } })

/** What is no part of the contract's own shapes: a protocol of its own, a file for a browser, the health of a process. */
export const otherPaths = (apiErrors: ErrorResponses): Readonly<Record<string, PathItem>> => ({
  '/mcp': { post: mcp() },
  '/mcp/tenants/{tenant_id}/credentials': { get: downloadCredentials(apiErrors) },
  '/mcp/manage': { post: retired(apiErrors) },
  '/healthz': { get: health('healthz', 'Does the process answer') },
  '/readyz': { get: health('readyz', 'May this instance be sent traffic') },
})

const mcp = (): Operation => ({
  operationId: 'mcp',
  summary: 'The hosted MCP server (Streamable HTTP)',
  description:
    'One JSON-RPC message in, one JSON answer out; no sessions and no streams. Without `Authorization` it is public; with it, the header must hold an OAuth access token. `?login` asks for one.',
  tags: ['MCP'],
  security: [{}, { oauth: [] }],
  requestBody: { required: true, content: json(OBJECT) },
  responses: {
    '200': { description: 'A JSON-RPC answer.', headers: headers(['RequestId']), content: json(OBJECT) },
    '202': { description: 'A notification was taken.', headers: headers(['RequestId']) },
    '400': { description: 'Not a message that this server takes.', content: json(OBJECT) },
    '401': { description: 'The token is not good here.', headers: headers(['Challenge']), content: json(OBJECT) },
    '403': { description: 'A scope is missing.', headers: headers(['Challenge']), content: json(OBJECT) },
    '404': { description: 'A method that its revision of the protocol does not have.', content: json(OBJECT) },
    '413': { description: 'The message is larger than 256 KiB.', content: json(OBJECT) },
    '415': { description: 'The message is not `application/json`.', content: json(OBJECT) },
    '500': { description: 'We made a mistake.', content: json(OBJECT) },
    '503': { description: 'Try again with the same token.', headers: headers(['RetryAfter']), content: json(OBJECT) },
  },
})

const asPage = (headers: ApiResponse['headers']): ApiResponse => ({
  description: 'To a browser it is a page, with the same status.',
  ...(headers === undefined ? {} : { headers }),
  content: { 'text/html': { schema: { type: 'string' } } },
})

const downloadCredentials = (apiErrors: ErrorResponses): Operation => ({
  operationId: 'downloadCredentials',
  summary: 'Download the credentials file of a tenant that an OAuth client created, in the browser of its owner',
  description: 'Neither the address nor an access token opens it: only the cookie of the owner, or of the guest.',
  tags: ['MCP'],
  security: [{ accountSession: [] }],
  parameters: [{ name: 'tenant_id', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    '200': {
      description: 'The `.service` file.',
      headers: headers(REST),
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
    ...apiErrors.for(['missingCredentials', 'tenantNotFound']),
    default: asPage(headers(REST)),
  },
})

const retired = (apiErrors: ErrorResponses): Operation => ({
  operationId: 'retiredMcpManage',
  summary: 'Retired: use /mcp',
  tags: ['MCP'],
  deprecated: true,
  security: [],
  responses: {
    ...apiErrors.for(['endpointRetired']),
    default: asPage(headers(['RequestId', 'Deprecation', 'Sunset', 'Migration'])),
  },
})

const health = (operationId: string, summary: string): Operation => ({
  operationId,
  summary,
  tags: ['Operating'],
  security: [],
  responses: {
    '200': {
      description: 'Yes.',
      headers: headers(['RequestId']),
      content: json({ type: 'object', properties: { status: { type: 'string' } }, required: ['status'] }),
    },
    '4XX': { description: 'Never.' },
    ...(operationId === 'readyz' ? { '503': unavailable } : {}),
  },
})

const unavailable = {
  description: 'Not now; `reasons` says why.',
  headers: headers(['RequestId']),
  content: json({
    type: 'object',
    properties: { status: { type: 'string' }, reasons: { type: 'array', items: { type: 'string' } } },
    required: ['status', 'reasons'],
  }),
}
