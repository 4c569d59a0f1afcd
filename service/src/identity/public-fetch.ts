import { askLoopback, askPublicHttps, readBody, type TestNetwork } from './public-https.ts'

/**
 * The part of `fetch` that an OpenID client needs, to hosts that an owner chose: every request goes through the guard
 * against SSRF. `loopback`: http to this machine as well, for a service that itself is reached by loopback only.
 */
export function publicFetch(
  maxBytes: number,
  { loopback, network = {} }: { readonly loopback: boolean; readonly network?: TestNetwork | undefined },
): typeof globalThis.fetch {
  return async (input, { method, headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const request = {
      method: method === 'POST' ? ('POST' as const) : ('GET' as const),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      deadline: signal ?? AbortSignal.timeout(10_000),
      read: (response: Parameters<typeof readBody>[0]) => readBody(response, maxBytes),
    }
    const isLocal = loopback && url.protocol === 'http:'
    const response = await (isLocal ? askLoopback(url, request) : askPublicHttps(url, request, network))
    const type = response.headers['content-type']
    return new Response(response.body === '' ? null : response.body, {
      status: response.status,
      headers: type === undefined ? {} : { 'Content-Type': type },
    })
  }
}
