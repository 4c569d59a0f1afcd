/** The only hosts allowed with plain http, because the traffic does not leave the machine (RFC 8252, section 8.3). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Exact names: `localhost.evil.example` is not loopback. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host)

/** On a parsed URL, so that `127.0.0.1@evil.example` is not loopback either. */
export const isLoopback = (url: URL): boolean => isLoopbackHost(url.hostname)
