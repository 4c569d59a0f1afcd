import type { ApiErrorCode } from '@gatehouse/contract'

/** What can be wrong on this side of the wire. What the service refuses keeps the code it came with. */
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
  | 'unexpected'

export type ProblemCode = LocalCode | ApiErrorCode

/** The next step, as each reader would take it: a person types a command, an agent calls a tool. */
export interface NextStep {
  readonly cli: string
  readonly agent: string
}

export const either = (step: string): NextStep => ({ cli: step, agent: step })

interface ProblemOptions {
  /** One line each, when there are several things to put right. */
  readonly lines?: readonly string[]
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** Why something did not happen: one sentence of what is so, and one of what to do about it. */
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
