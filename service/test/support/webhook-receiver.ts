import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { listen } from './transport/listen.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any body
  readonly body: any
}

/** An app's endpoint for webhooks. It answers with `answer`, which a test may change. */
interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** The ids of the received messages, in their order of arrival. */
  ids(): string[]
  answer: number | ((res: ServerResponse, req: IncomingMessage) => void)
}

export async function receiver(t: Pick<TestContext, 'after'>): Promise<Receiver> {
  const received: Received[] = []
  const { port } = await listen(t, (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push({ headers: req.headers, text, body: JSON.parse(text) })
      const { answer } = self
      if (typeof answer === 'number') {
        res.writeHead(answer).end('thanks')
      } else {
        answer(res, req)
      }
    })
  })
  const self: Receiver = {
    url: `http://localhost:${port}/hook`,
    received,
    ids: () => received.map(({ headers }) => String(headers['webhook-id'])),
    answer: 200,
  }
  return self
}

/** The signature of Standard Webhooks, computed here once more. */
export const expectedSignature = (secret: string, { headers, text }: Received): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
    .digest('base64')}`
