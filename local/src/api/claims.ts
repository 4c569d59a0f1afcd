import { LONG_POLL_MAX_SECONDS, requestClaim as requestClaimEndpoint, waitForClaim } from '@gatehouse/contract'
import type { Project } from '../credentials/read.ts'
import { call } from './call.ts'
import { manage } from './tenants.ts'

export const requestClaim = (project: Project) => manage(project, requestClaimEndpoint)

/** Held until the person has decided, at most as long as the service holds a request. */
export const nextDecision = (project: Project, waitToken: string, signal: AbortSignal) =>
  call(project.credentials.base_url, waitForClaim, {
    bearer: waitToken,
    query: { timeout: LONG_POLL_MAX_SECONDS },
    heldMs: LONG_POLL_MAX_SECONDS * 1_000,
    signal,
  })
