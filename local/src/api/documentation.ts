import { getServiceDocumentation } from '@gatehouse/contract'
import { z } from 'zod'
import { parseJson } from '../json.ts'
import { notGatehouse } from './api-version.ts'
import { request } from './request.ts'

const Result = z.object({ result: z.object({ structuredContent: getServiceDocumentation.output }) })

/** The agent guide, from the hosted MCP server, so that there is one copy of it. */
export async function readDocumentation(service: string): Promise<string> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: getServiceDocumentation.name, arguments: {} },
  }
  const response = await request(service, 'POST', '/mcp', {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })
  const read = Result.safeParse(parseJson(response.text))
  if (!read.success) throw notGatehouse(service, response.status)
  return String(read.data.result.structuredContent.documentation)
}
