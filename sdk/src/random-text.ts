/** Random bytes in base64url. (`crypto.randomUUID` is missing in a browser over plain http.) */
export function randomText(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
