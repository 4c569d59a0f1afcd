import type { Problem, ProblemCode } from '../problem.ts'

/** README.md has the same table; a test compares the two. */
export const EXIT_CODES = {
  success: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  credentials: 4,
  rateLimited: 5,
  interrupted: 130,
} as const

const BY_CODE: Partial<Record<ProblemCode, keyof typeof EXIT_CODES>> = {
  usage: 'usage',
  projectRootInvalid: 'usage',
  serviceUrlInvalid: 'usage',
  serviceUnreachable: 'unreachable',
  notGatehouse: 'unreachable',
  otherVersion: 'unreachable',
  outcomeUnknown: 'unreachable',
  temporarilyUnavailable: 'unreachable',
  internalError: 'unreachable',
  credentialsMissing: 'credentials',
  credentialsUnreadable: 'credentials',
  credentialsUnsafe: 'credentials',
  credentialsForeign: 'credentials',
  invalidCredentials: 'credentials',
  rateLimited: 'rateLimited',
  interrupted: 'interrupted',
}

export const exitCodeOf = ({ code }: Problem): number => EXIT_CODES[BY_CODE[code] ?? 'failed']
