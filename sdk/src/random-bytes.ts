/** Random bytes in base64url. `crypto.randomUUID` would need a secure context: browsers lack it over plain http. */
export function randomBase64Url(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
