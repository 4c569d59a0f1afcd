import type { Scope } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { type Approval, CODE_LIFETIME_MS, type Subject } from '../../domain/oauth/grant.ts'
import { appendParameters } from '../../domain/oauth/redirect-uri.ts'
import { deriveCode } from '../../domain/oauth/token.ts'
import { isRepeatable } from '../../domain/repeated-decision.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import { is256Bits } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'
import { loginOtherBrowser, loginOver } from '../login/attempts.ts'

type Dependencies = Pick<Context, 'stores' | 'keyring' | 'now'>

interface ApprovalInput {
  readonly approvalId: string
  readonly browser: string | null
}

/** The approval that waits for a decision in this browser. */
export async function readApproval(ctx: Dependencies, input: ApprovalInput): Promise<Approval> {
  const approval = await findApproval(ctx, input)
  if (approval.decidedAt !== null || approval.expiresAt <= ctx.now()) {
    throw loginOver()
  }
  return approval
}

/** An approval of this browser, perhaps decided or expired. The id alone is not enough in another browser. */
export async function findApproval(ctx: Dependencies, input: ApprovalInput): Promise<Approval> {
  const { approvalId, browser } = input
  const approval = is256Bits(approvalId)
    ? await ctx.stores.oauthApprovals.find(ctx.keyring.hashes('oauth-approval', approvalId))
    : null
  if (approval === null) {
    throw loginOver()
  }
  if (browser === null || !ctx.keyring.hashes('browser', browser).includes(approval.browserHash)) {
    throw loginOtherBrowser()
  }
  return approval
}

/** A press of Allow or Deny on the OAuth consent page. */
interface DecideApproval {
  readonly approvalId: string
  readonly browser: string
  readonly decision: Decision
}

export type Decision = { readonly allow: false } | Allowing

interface Allowing {
  readonly allow: true
  readonly subject: Subject
  readonly scopes: readonly Scope[]
}

/**
 * Decides an approval once: one transaction marks it as decided and creates the grant and the code. Returns the redirect
 * URI of the client with the response. The same decision again gets the same response.
 */
export async function decideApproval(ctx: Context, input: DecideApproval): Promise<string> {
  const { approvalId, browser, decision } = input
  const now = ctx.now()

  return ctx.stores.transaction(async (stores) => {
    const approval = await stores.oauthApprovals.decide(
      ctx.keyring.hashes('oauth-approval', approvalId),
      ctx.keyring.hashes('browser', browser),
      decision.allow ? 'allowed' : 'denied',
      now,
    )
    if (approval === null) {
      const repeated = await repeatApproval(ctx, stores, input, now)
      if (repeated === null) {
        throw loginOver()
      }
      return repeated
    }
    if (!decision.allow) {
      return denialUrl(ctx, approval)
    }
    const code = deriveCode(ctx.keyring, approvalId, browser)
    await issueCode(ctx, stores, { approval, decision, code, now })
    return codeUrl(ctx, approval, code)
  })
}

/** The code that a decision issues. */
interface ApprovalCode {
  readonly approval: Approval
  readonly decision: Allowing
  readonly code: string
  readonly now: number
}

async function issueCode(
  ctx: Context,
  stores: TransactionStores,
  { approval, decision, code, now }: ApprovalCode,
): Promise<void> {
  const { subject } = decision
  if (subject.kind === 'guest' && approval.accountRequired) {
    throw new ApiError('invalidRequest', 'This program needs an account. Sign in to go on.')
  }
  const allowed = allowedScopes(approval, decision)
  if (allowed.length === 0) {
    throw new ApiError('invalidRequest', 'Nothing was ticked, so there is nothing to allow.')
  }

  const endsAt = now + CODE_LIFETIME_MS
  const grantId = await stores.oauthGrants.add({
    clientId: approval.clientId,
    clientName: approval.clientName,
    subject,
    scopes: allowed,
    resource: approval.resource,
    createdAt: now,
    endsAt,
  })
  const { redirectUri, challenge } = approval
  const hash = ctx.keyring.hash('oauth-code', code)
  await stores.oauthCodes.add(hash, { redirectUri, challenge, expiresAt: endsAt }, grantId)
}

/** The selected scopes that the client requested, in the order of the request. */
const allowedScopes = ({ scopes }: Approval, { scopes: selected }: Allowing): Scope[] =>
  scopes.filter((scope) => selected.includes(scope))

/**
 * The redirect that the same decision of the same browser got less than a minute ago, with the same code (decision 43).
 * null: this is not a repeat. Changes nothing.
 */
async function repeatApproval(
  ctx: Context,
  stores: TransactionStores,
  { approvalId, browser, decision }: DecideApproval,
  now: number,
): Promise<string | null> {
  const approval = await stores.oauthApprovals.find(
    ctx.keyring.hashes('oauth-approval', approvalId),
  )
  if (approval === null || !ctx.keyring.hashes('browser', browser).includes(approval.browserHash)) {
    return null
  }
  if (approval.decidedAt === null || !isRepeatable(approval.decidedAt, now)) {
    return null
  }
  const wasAllowed = approval.decision === 'allowed'
  if (decision.allow !== wasAllowed) {
    return null
  }

  if (!decision.allow) {
    return denialUrl(ctx, approval)
  }
  for (const kid of ctx.keyring.kids) {
    const code = deriveCode(ctx.keyring, approvalId, browser, kid)
    if (await isUnused(ctx, stores, { approval, decision, code, now })) {
      return codeUrl(ctx, approval, code)
    }
  }
  return null
}

/**
 * Whether this decision issued the code, and the client has not used it yet: a client that got a used code again would use
 * it again, and a replay revokes the grant.
 */
async function isUnused(
  { keyring }: Context,
  stores: TransactionStores,
  { approval, decision, code, now }: ApprovalCode,
): Promise<boolean> {
  const found = await stores.oauthCodes.find(keyring.hashes('oauth-code', code))
  if (found === null || found.usedAt !== null || found.expiresAt <= now) {
    return false
  }
  const { subject, scopes } = found.grant
  return (
    isSameSubject(subject, decision.subject) &&
    scopes.join(' ') === allowedScopes(approval, decision).join(' ')
  )
}

function isSameSubject(one: Subject, other: Subject): boolean {
  if (one.kind === 'account') {
    return other.kind === 'account' && one.accountId === other.accountId
  }
  return other.kind === 'guest' && one.guestHash === other.guestHash
}

interface ApprovalDecision {
  readonly approval: Approval
  readonly allowed: boolean
  /** The client's redirect URI with the response; null once its code was used or has expired. */
  readonly location: string | null
}

/** What this browser has decided, for the page after the decision. Changes nothing, so the page may be reloaded. */
export async function readDecision(ctx: Context, input: ApprovalInput): Promise<ApprovalDecision> {
  const approval = await findApproval(ctx, input)
  if (approval.decidedAt === null) {
    throw loginOver()
  }
  if (approval.decision === 'denied') {
    return { approval, allowed: false, location: denialUrl(ctx, approval) }
  }
  for (const kid of ctx.keyring.kids) {
    const code = deriveCode(ctx.keyring, input.approvalId, input.browser ?? '', kid)
    const issued = await ctx.stores.oauthCodes.find(ctx.keyring.hashes('oauth-code', code))
    if (issued !== null) {
      const isUsable = issued.usedAt === null && issued.expiresAt > ctx.now()
      return { approval, allowed: true, location: isUsable ? codeUrl(ctx, approval, code) : null }
    }
  }
  return { approval, allowed: true, location: null }
}

const codeUrl = (
  { baseUrl }: Pick<Context, 'baseUrl'>,
  { redirectUri, state }: Approval,
  code: string,
): string => appendParameters(redirectUri, { code, state, iss: baseUrl })

const denialUrl = (
  { baseUrl }: Pick<Context, 'baseUrl'>,
  { redirectUri, state }: Approval,
): string =>
  appendParameters(redirectUri, {
    error: 'access_denied',
    error_description: 'The user denied the request.',
    state,
    iss: baseUrl,
  })

/**
 * A guest is identified by a cookie: the browser's existing one, or a new one. The new one is derived from the approval, so
 * that a decision that is sent twice, both times without the cookie, is made by one guest (decision 43).
 */
export function guestSubject(
  ctx: Pick<Context, 'keyring'>,
  cookie: string | null,
  { approvalId, browser }: { readonly approvalId: string; readonly browser: string },
): { readonly secret: string; readonly subject: Subject } {
  const secret = cookie ?? ctx.keyring.mac('guest-cookie', `${approvalId}\0${browser}`)
  return { secret, subject: { kind: 'guest', guestHash: ctx.keyring.hash('guest', secret) } }
}
