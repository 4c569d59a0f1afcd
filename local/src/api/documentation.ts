import { getServiceDocumentation } from '@gatehouse/contract'
import { z } from 'zod'
import { jsonIn } from '../json.ts'
import { request } from './request.ts'
import { notGatehouse } from './wrong-service.ts'

const Result = z.object({ result: z.object({ structuredContent: getServiceDocumentation.output }) })

/** The guide for agents, as the hosted MCP server gives it to anybody: one text, kept in one place. */
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
  const read = Result.safeParse(jsonIn(response.text))
  if (!read.success) throw notGatehouse(service, response.status)
  return String(read.data.result.structuredContent.documentation)
}
