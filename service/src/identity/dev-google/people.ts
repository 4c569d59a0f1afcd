import { createHash } from 'node:crypto'

/** Somebody who can be chosen on the development Google's page. */
export interface Person {
  readonly id: string
  /** Google's are 21 digits. These never change, so a person stays the same user across restarts. */
  readonly sub: string
  readonly name: string
  readonly email: string
  /** The colour of the portrait; null is a person without a picture. */
  readonly portrait: string | null
}

export const PEOPLE: readonly Person[] = [
  {
    id: 'ada',
    sub: '100000000000000001815',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    portrait: '#6a3d9a',
  },
  {
    id: 'grace',
    sub: '100000000000000001906',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    portrait: '#1f6f5c',
  },
  {
    id: 'alan',
    sub: '100000000000000001912',
    name: 'Alan Turing',
    email: 'alan@example.com',
    portrait: null,
  },
]

/** Anybody else is recognised by their address, as long as nobody says otherwise. */
export function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest()
  return `2${digest.readBigUInt64BE().toString().padStart(20, '0')}`
}

export const initials = (name: string): string =>
  name
    .split(/\s+/u)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
    .slice(0, 2)
