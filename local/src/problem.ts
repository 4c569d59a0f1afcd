import { type ApiErrorCode, SECRET_PREFIX_PATTERN, SECRET_PREFIXES } from '@gatehouse-auth/contract'

/** Problems that this program detects. An API error keeps its own code. */
type LocalCode =
  | 'usage'
  | 'projectRootInvalid'
  | 'credentialsMissing'
  | 'credentialsUnreadable'
  | 'credentialsUnsafe'
  | 'credentialsForeign'
  | 'creationInProgress'
  | 'notWritable'
  | 'serviceUrlInvalid'
  | 'serviceUnreachable'
  | 'notGatehouse'
  | 'otherVersion'
  | 'outcomeUnknown'
  | 'signInNeeded'
  | 'signInDenied'
  | 'signInTimedOut'
  | 'claimDenied'
  | 'claimExpired'
  | 'interrupted'
  | 'appMissing'
  | 'appUnreachable'
  | 'unexpected'

export type ProblemCode = LocalCode | ApiErrorCode

/** The next step: a command for a user of the CLI, a tool call for an agent. */
export interface NextStep {
  readonly cli: string
  readonly agent: string
}

export const nextStep = (step: string): NextStep => ({ cli: step, agent: step })

interface ProblemOptions {
  /** Details, one line each. */
  readonly lines?: readonly string[]
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** An expected failure: its message states the cause, `next` states the fix. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly next: NextStep
  readonly lines: readonly string[]
  readonly retryAfterSeconds: number | null

  constructor(code: ProblemCode, message: string, next: NextStep, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.next = next
    this.lines = options.lines ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

/** Keys and tokens of the service, and JWTs. Not invitations: their links are made to be sent to people. */
const SECRETS = new RegExp(
  `(?!${SECRET_PREFIXES.invitation})${SECRET_PREFIX_PATTERN}[\\w-]{8,}|eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*`,
  'g',
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** Applied to everything that is printed: a second line of defense against a leaked key. */
export const redactSecrets = (text: string): string => text.replaceAll(SECRETS, '[removed]')

/** Untrusted text as one line, without terminal escape sequences and bidirectional overrides. */
export const singleLine = (text: string): string =>
  redactSecrets(text.replaceAll(CONTROLS, ' ').trim())
