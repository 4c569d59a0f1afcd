import type { AttemptId } from '../../domain/ids.ts'

/** A press of Continue or Cancel on the consent page. */
export interface ConsentDecision {
  readonly attemptId: AttemptId
  readonly browser: string | null
  readonly csrf: string
  readonly allow: boolean
}
