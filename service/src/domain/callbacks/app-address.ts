import { matchCallback } from './match.ts'
import { type CallbackUrl, isWildcard } from './parts.ts'

/**
 * Where the app of a login link is, for the button of an error page: the host of `requested` if that is registered, otherwise
 * the only public host on the list; null: unknown. Never an unregistered address, because anyone can write one into a link.
 */
export function appAddress(registered: readonly CallbackUrl[], requested: string | undefined): string | null {
  const match = requested === undefined ? null : matchCallback(requested, registered)
  if (match?.ok) return homeOf(match.href)
  const [home, ...others] = new Set(registered.filter(isPublic).map(({ href }) => homeOf(href)))
  return home !== undefined && others.length === 0 ? home : null
}

/** Only a computer on which the app is developed has it at localhost. */
const isPublic = ({ scheme, host }: CallbackUrl): boolean => scheme === 'https' && !isWildcard(host)

const homeOf = (href: string): string => new URL('/', href).href
