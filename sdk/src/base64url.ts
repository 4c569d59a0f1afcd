export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Random bytes in base64url. `crypto.randomUUID` would need a secure context: browsers lack it over plain http. */
export const randomBase64Url = (bytes: number): string => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))
