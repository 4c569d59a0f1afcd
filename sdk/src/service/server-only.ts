/** Throws in a browser, where every visitor could read the value. */
export function requireServer(name: string): void {
  if ('document' in globalThis) throw new TypeError(`${name} must stay on your server. Do not pass it in a browser.`)
}
