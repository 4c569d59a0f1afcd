import { createHash } from 'node:crypto'

/** A user in the account chooser. */
export interface SampleUser {
  readonly id: string
  /** 21 digits, like Google's. Fixed, so that a sample user stays the same user across restarts. */
  readonly sub: string
  readonly name: string
  readonly email: string
  /** The domain of their Google Workspace; null: a consumer account. */
  readonly workspace: string | null
  /** The background color of the picture; null: no picture. */
  readonly portrait: string | null
}

export const SAMPLE_USERS: readonly SampleUser[] = [
  {
    id: 'ada',
    sub: '100000000000000001815',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    workspace: null,
    portrait: '#6a3d9a',
  },
  {
    id: 'grace',
    sub: '100000000000000001906',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    workspace: 'example.com',
    portrait: '#1f6f5c',
  },
  {
    id: 'alan',
    sub: '100000000000000001912',
    name: 'Alan Turing',
    email: 'alan@example.com',
    workspace: null,
    portrait: null,
  },
]

/** The default subject of any other email address. */
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
