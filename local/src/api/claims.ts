import { LONG_POLL_MAX_SECONDS, requestClaim as requestClaimEndpoint, waitForClaim } from '@gatehouse/contract'
import type { Project } from '../credentials/project.ts'
import { call } from './call.ts'
import { manage } from './tenants.ts'

export const requestClaim = (project: Project) => manage(project, requestClaimEndpoint)

/** Long poll: resolves with the decision, or with `pending` when the poll times out. */
export const pollDecision = (project: Project, waitToken: string) =>
  call(project.credentials.base_url, waitForClaim, {
    bearer: waitToken,
    query: { timeout: LONG_POLL_MAX_SECONDS },
    extraTimeoutMs: LONG_POLL_MAX_SECONDS * 1_000,
  })
