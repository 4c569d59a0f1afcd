import { isLoopback } from '../../domain/callbacks/loopback.ts'

/** Clients that run in a browser, or say that they do: Claude Desktop sends the origin of claude.ai. */
const CLIENT_ORIGINS: ReadonlySet<string> = new Set([
  'https://claude.ai',
  'https://claude.com',
  'https://chatgpt.com',
  'https://vscode.dev',
  'https://insiders.vscode.dev',
  'https://github.dev',
])

/**
 * May a page of this origin call /mcp? The one answer feeds the check and the CORS headers, so they never disagree.
 * A page cannot leave the header out, so this is what keeps strangers' pages away from a server on one's own machine
 * (MCP, Streamable HTTP, Security Warning). `null`, which anybody can be, is nobody.
 */
export function allowsOrigin(origin: string, baseUrl: string): boolean {
  if (CLIENT_ORIGINS.has(origin) || origin === new URL(baseUrl).origin) return true
  const url = URL.parse(origin)
  return url !== null && url.origin === origin && isLoopback(url)
}

/**
 * A name that a stranger has pointed at this machine (DNS rebinding) makes their page same-origin with us, and then no
 * Origin needs to come along. It cannot change what the Host says, so on this machine only its own names are served.
 */
export function allowsHost(host: string | undefined, baseUrl: string): boolean {
  if (!isLoopback(new URL(baseUrl))) return true
  const url = /^[^/\\?#@]+$/.test(host ?? '') ? URL.parse(`http://${host}`) : null
  return url !== null && isLoopback(url)
}
