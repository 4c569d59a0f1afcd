import { Agent, request as send } from 'node:http'
import { WrongResponse } from '../../../load/rounds.ts'
import { oauthRequests } from './oauth-requests.ts'
import { type AnonymousRequest, json } from './request.ts'

const REDIRECT_URI = `https://client.example.com/${'x'.repeat(2_000)}`

/** Sends each request from another client address, so that no limit per address answers instead. */
export class AnonymousClient {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })
  #address = 0

  constructor(port: number) {
    this.#port = port
  }

  async send({ name, method, path: target, headers = {}, body, status }: AnonymousRequest): Promise<string> {
    const found = await this.#exchange(method, target, headers, body)
    if (found.status === status) return found.text
    throw new WrongResponse(`${name}: expected ${status}, got ${found.status} with ${found.text.slice(0, 500)}`)
  }

  #exchange(
    method: string,
    target: string,
    headers: Readonly<Record<string, string>>,
    body = '',
  ): Promise<{ status: number; text: string }> {
    const number = ++this.#address
    return new Promise((resolve, reject) => {
      const request = send({
        port: this.#port,
        method,
        path: target,
        agent: this.#agent,
        headers: {
          'User-Agent': 'bench',
          'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
          ...headers,
          ...(method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {}),
        },
      })
      request.on('error', reject)
      request.on('response', async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      })
      request.end(body)
    })
  }

  /** A guest with as many long callback URLs as one request can register. Its login link is public. */
  async tenant(): Promise<string> {
    const created = JSON.parse(await this.send(json('a guest', '/api/genesis', 201, '')))
    const callbackUrls = Array.from({ length: 50 }, (_, at) => `https://app${at}.example/${'a/'.repeat(600)}`)
    const provision = json('its callback URLs', '/api/resources/social-login', 200, { callback_urls: callbackUrls })
    const headers = { ...provision.headers, Authorization: `Bearer ${created.coh_management_key}` }
    await this.send({ ...provision, headers })
    return created.tenant_id
  }

  async oauthRequests(): Promise<readonly AnonymousRequest[]> {
    const metadata = { redirect_uris: [REDIRECT_URI], client_name: '\u1234'.repeat(80) }
    const registered = JSON.parse(await this.send(json('a client', '/oauth/register', 201, metadata)))
    return oauthRequests(registered.client_id, REDIRECT_URI)
  }

  close(): void {
    this.#agent.destroy()
  }
}
