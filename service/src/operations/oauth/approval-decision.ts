import type { Scope } from '@gatehouse/contract'
import type { Approval } from '../../domain/oauth/approval.ts'
import type { Subject } from '../../domain/oauth/grant.ts'
import { appendParameters } from '../../domain/oauth/redirect-uri.ts'
import type { Context } from '../context.ts'

export interface Allowing {
  readonly allow: true
  readonly subject: Subject
  readonly scopes: readonly Scope[]
}

export type Decision = { readonly allow: false } | Allowing

/** A press of Allow or Deny on the OAuth consent page. */
export interface DecideApproval {
  readonly approvalId: string
  readonly browser: string
  readonly decision: Decision
}

/** The code that a decision issues. */
export interface ApprovalCode {
  readonly approval: Approval
  readonly decision: Allowing
  readonly code: string
  readonly now: number
}

/** The selected scopes that the client requested, in the order of the request. */
export const allowedScopes = ({ scopes }: Approval, { scopes: selected }: Allowing): Scope[] =>
  scopes.filter((scope) => selected.includes(scope))

export const codeUrl = (
  { baseUrl }: Pick<Context, 'baseUrl'>,
  { redirectUri, state }: Approval,
  code: string,
): string => appendParameters(redirectUri, { code, state, iss: baseUrl })

export const denialUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>, { redirectUri, state }: Approval): string =>
  appendParameters(redirectUri, {
    error: 'access_denied',
    error_description: 'The person said no.',
    state,
    iss: baseUrl,
  })
