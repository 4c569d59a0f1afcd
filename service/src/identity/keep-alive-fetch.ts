import { request as askHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { request as askHttps, Agent as HttpsAgent } from 'node:https'
import { rejectWithoutResponse } from './settle-request.ts'
import { ProviderFault } from './sign-in-error.ts'

/** Shorter than any provider keeps a connection: one that it closes just as we use it would cost somebody their login. */
const KEPT_FOR_MS = 4_000
/** More than sign-ins may be under way (google.ts): none waits for another. */
const CONNECTIONS_MAX = 256
const BODYLESS = new Set([204, 205, 304])

/**
 * As much of `fetch` as an OpenID client needs, over connections that are kept between sign-ins. Node's own costs as
 * much CPU as all the rest of a sign-in. It follows no redirect and unpacks nothing: it says that it takes no
 * compression, so whoever sends some does not keep to HTTP.
 */
export function keepAliveFetch(maxBytes: number): typeof globalThis.fetch {
  const options = { keepAlive: true, timeout: KEPT_FOR_MS, maxSockets: CONNECTIONS_MAX }
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)]

  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const sent = body === undefined || body === null ? '' : String(body)
    const [ask, agent] = url.protocol === 'https:' ? [askHttps, https] : [askHttp, http]
    const fields = Object.fromEntries(new Headers(headers))
    if (sent !== '') fields['content-length'] = String(Buffer.byteLength(sent))
    fields['accept-encoding'] = 'identity'
    return new Promise((resolve, reject) => {
      const call = ask(url, { method, headers: fields, agent, ...(signal ? { signal } : {}) }, (response) => {
        read(response, maxBytes).then(resolve, (error: unknown) => {
          call.destroy()
          reject(error)
        })
      })
      rejectWithoutResponse(call, reject, signal)
      call.end(sent)
    })
  }
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Response> {
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') throw new ProviderFault('malformed_answer')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new ProviderFault('answer_too_large')
    chunks.push(chunk)
  }
  const status = response.statusCode ?? 0
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return new Response(BODYLESS.has(status) ? null : Buffer.concat(chunks), { status, headers })
}
