import type { ApiErrorCode } from '@gatehouse/contract'

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
