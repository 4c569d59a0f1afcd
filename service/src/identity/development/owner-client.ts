import { isLoopback } from '../../domain/callbacks/host.ts'

// A stand-in knows no client of an owner, so it accepts every client id, and lets the secret decide.

/** A secret that starts with `wrong` is refused, so that an owner can see what a mistyped one does. */
export const isAcceptedSecret = (secret: string): boolean => secret !== '' && !secret.startsWith('wrong')

export function isAcceptedRedirectUri(redirectUri: string): boolean {
  const url = URL.parse(redirectUri)
  return url !== null && url.hash === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
}
