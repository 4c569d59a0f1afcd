import { getServiceDocumentation as tool } from '@gatehouse/contract'
import { z } from 'zod'
import { parseJson } from '../json.ts'
import { notGatehouse } from './api-version.ts'
import { request } from './request.ts'

const Result = z.object({ result: z.object({ content: z.tuple([z.object({ text: tool.output })]) }) })

/** The agent guide, from the hosted MCP server, so that there is one copy of it. */
export async function readDocumentation(service: string): Promise<string> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool.name, arguments: {} },
  }
  const response = await request(service, 'POST', '/mcp', {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })
  const read = Result.safeParse(parseJson(response.text))
  if (!read.success) throw notGatehouse(service, response.status)
  return read.data.result.content[0].text
}
