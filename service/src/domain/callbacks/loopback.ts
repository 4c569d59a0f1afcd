/** The only hosts that plain http may reach: what is sent to them does not leave the machine (RFC 8252, section 8.3). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Exact names: `localhost.evil.example` is somebody else. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOSTS.has(host)

/** On a parsed URL, so that `127.0.0.1@evil.example` is somebody else too. */
export const isLoopback = (url: URL): boolean => isLoopbackHost(url.hostname)
