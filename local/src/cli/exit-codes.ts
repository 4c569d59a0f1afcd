import type { Problem, ProblemCode } from '../problem.ts'

/** For scripts. README.md has the same table, and a test compares the two. */
export const EXIT_CODES = {
  done: 0,
  refused: 1,
  usage: 2,
  outOfReach: 3,
  credentials: 4,
  later: 5,
  interrupted: 130,
} as const

const BY_CODE: Partial<Record<ProblemCode, keyof typeof EXIT_CODES>> = {
  usage: 'usage',
  projectRootInvalid: 'usage',
  serviceUrlInvalid: 'usage',
  serviceUnreachable: 'outOfReach',
  notGatehouse: 'outOfReach',
  otherVersion: 'outOfReach',
  outcomeUnknown: 'outOfReach',
  temporarilyUnavailable: 'outOfReach',
  internalError: 'outOfReach',
  credentialsMissing: 'credentials',
  credentialsUnreadable: 'credentials',
  credentialsUnsafe: 'credentials',
  credentialsForeign: 'credentials',
  invalidCredentials: 'credentials',
  rateLimited: 'later',
  creationInProgress: 'later',
  interrupted: 'interrupted',
}

export const exitCodeOf = ({ code }: Problem): number => EXIT_CODES[BY_CODE[code] ?? 'refused']
