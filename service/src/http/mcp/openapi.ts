import { MCP_BODY_MAX_BYTES } from '@gatehouse-auth/contract'
import { type HeaderName, headers, REST } from '../discovery/openapi/headers.ts'
import type { ApiResponse, WrittenPaths } from '../discovery/openapi/types.ts'

const JSON_OBJECT = { 'application/json': { schema: { type: 'object' } } }

/** A JSON-RPC error, as the HTTP status that goes with it. */
const rpcError = (description: string, names?: readonly HeaderName[]): ApiResponse => ({
  description,
  ...(names && { headers: headers(names) }),
  content: JSON_OBJECT,
})

const errorPage = (names: readonly HeaderName[]): ApiResponse => ({
  description: 'Browsers get a page with the same status.',
  headers: headers([...REST, ...names]),
  content: { 'text/html': { schema: { type: 'string' } } },
})

/** The routes of this folder, which are no endpoints of the contract. */
export const MCP_PATHS: WrittenPaths = {
  '/mcp': {
    post: {
      operationId: 'mcp',
      summary: 'The hosted MCP server (Streamable HTTP)',
      description:
        'One JSON-RPC message per request, one JSON response; no sessions and no streams. Without `Authorization` it is public; an `Authorization` header must contain a valid OAuth access token. `?login` requires one.',
      tags: ['MCP'],
      security: [{}, { oauth: [] }],
      requestBody: { required: true, content: JSON_OBJECT },
      responses: {
        200: {
          description: 'A JSON-RPC response.',
          headers: headers(['RequestId']),
          content: JSON_OBJECT,
        },
        202: { description: 'A notification was accepted.', headers: headers(['RequestId']) },
        400: rpcError('Not a valid message.'),
        401: rpcError('The access token is missing or invalid.', ['Challenge']),
        403: rpcError('A scope is missing.', ['Challenge']),
        404: rpcError('An unknown method.'),
        413: rpcError(`The message is larger than ${MCP_BODY_MAX_BYTES / 1_024} KiB.`),
        415: rpcError('The message is not `application/json`.'),
        500: rpcError('An internal error.'),
        503: rpcError('Temporarily unavailable. Retry with the same token.', ['RetryAfter']),
      },
    },
  },
  '/mcp/tenants/{tenant_id}/credentials': {
    get: {
      operationId: 'downloadCredentials',
      summary:
        'Download the credentials file of a tenant that an OAuth client created, in the owner’s browser',
      description:
        'Requires the session cookie of the owner, or of the guest who created it. An access token is not enough.',
      tags: ['MCP'],
      security: [{ accountSession: [] }],
      parameters: [{ name: 'tenant_id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'The `.service` file.',
          headers: headers(REST),
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
        default: errorPage([]),
      },
      errors: ['missingCredentials', 'tenantNotFound'],
    },
  },
  '/mcp/manage': {
    post: {
      operationId: 'retiredMcpManage',
      summary: 'Retired: use /mcp',
      tags: ['MCP'],
      deprecated: true,
      security: [],
      responses: { default: errorPage(['Deprecation', 'Sunset', 'Migration']) },
      errors: ['endpointRetired'],
    },
  },
}
