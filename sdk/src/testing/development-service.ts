const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The address of a development service: any other ignores the cookie and has none of the endpoints. */
export function developmentService(baseUrl: string): URL {
  if (URL.canParse(baseUrl)) {
    const url = new URL(baseUrl)
    if (LOOPBACK.has(url.hostname)) return url
  }
  throw new TypeError('baseUrl must be a development service on this machine, such as "http://localhost:8787".')
}
