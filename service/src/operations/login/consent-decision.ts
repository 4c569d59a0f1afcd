import type { AttemptId } from '../../domain/ids.ts'

/** A press of Continue or Cancel on the consent page. */
export interface ConsentDecision {
  readonly attemptId: AttemptId
  readonly browser: string | null
  readonly csrf: string
  readonly allow: boolean
  /** What the page showed of the app (shown-app.ts), if it said that Continue is remembered; otherwise null. */
  readonly shown: string | null
}
