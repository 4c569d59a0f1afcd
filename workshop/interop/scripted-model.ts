import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { listen } from '../../service/test/support/transport/listen.ts'

/** The MCP server's name in the agents' settings, and the tool that the model calls. */
export const MCP_SERVER = 'gatehouse'
const TOOL = 'create_tenant'
/** An idempotency key requires an account: a session that was signed out can't call the tool with it. */
const ARGUMENTS = JSON.stringify({ confirmed: true, idempotency_key: 'coding-agent' })

// biome-ignore lint/suspicious/noExplicitAny: the requests of other programs
type Body = any
type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/**
 * The language model of a coding agent, on loopback: it asks for one tool and then ends its turn with the status in the
 * tool's result. It speaks Anthropic's Messages API (Claude Code) and OpenAI's Responses API (Codex).
 */
export async function scriptedModel(t: TestContext): Promise<string> {
  const { port } = await listen(t, async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const body: Body = JSON.parse((await text(request)) || '{}')
    if (pathname === '/v1/messages') {
      sendEvents(response, messageEvents(body))
    } else if (pathname === '/v1/responses') {
      sendEvents(response, responseEvents(body))
    } else {
      response.writeHead(404).end('{}')
    }
  })
  return `http://127.0.0.1:${port}`
}

/** What the model does next: calls the tool, or says the last words of the session. */
function nextStep(tools: Body, results: readonly Body[]): 'call' | { readonly say: string } {
  const result = JSON.stringify(results.at(-1) ?? null)
  if (result !== 'null') {
    return { say: `The tenant is ${/status[\\"]+:[\\"]+(\w+)/.exec(result)?.[1] ?? result}.` }
  }
  return JSON.stringify(tools ?? []).includes(TOOL) ? 'call' : { say: 'The tool is not offered.' }
}

function messageEvents({ model, tools, messages }: Body): StreamEvent[] {
  const blocks: Body[] = messages.flatMap(({ content }: Body) => content)
  const step = nextStep(
    tools,
    blocks.filter(({ type }) => type === 'tool_result'),
  )
  const [block, delta] =
    step === 'call'
      ? [
          { type: 'tool_use', id: 'toolu_1', name: `mcp__${MCP_SERVER}__${TOOL}`, input: {} },
          { type: 'input_json_delta', partial_json: ARGUMENTS },
        ]
      : [
          { type: 'text', text: '' },
          { type: 'text_delta', text: step.say },
        ]
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    usage,
  }
  const stopReason = step === 'call' ? 'tool_use' : 'end_turn'
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

function responseEvents({ tools, input }: Body): StreamEvent[] {
  const step = nextStep(
    tools,
    input.filter(({ type }: Body) => type === 'function_call_output'),
  )
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    namespace: `mcp__${MCP_SERVER}`,
    name: TOOL,
  }
  const item =
    step === 'call'
      ? { ...call, arguments: ARGUMENTS }
      : {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: step.say }],
        }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', usage } },
  ]
}

function sendEvents(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}
