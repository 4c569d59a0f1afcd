import { setTimeout as sleep } from 'node:timers/promises'
import { pollDecision, requestClaim } from '../../api/tenants.ts'
import type { Project } from '../../credentials/project.ts'
import { formatDuration } from '../../duration.ts'
import { interrupted, interruption } from '../../interruption.ts'
import { commandLine } from '../../invocation.ts'
import { nextStep, Problem } from '../../problem.ts'
import type { Command } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

type Claim = Awaited<ReturnType<typeof requestClaim>>

const RETRY_MS = 2_000

export const claim: Command = {
  name: 'claim',
  synopsis: '[--no-wait]',
  summary: 'print a link to claim the tenant, and wait for the decision',
  details: [
    'The new owner opens the link, signs in, compares the confirmation code, and approves. The tenant then no longer',
    'expires. A newer link invalidates an older one. With --json: two lines, the link and the decision.',
    '',
    '--no-wait          print the link and exit; the status command shows the outcome',
  ],
  options: { 'no-wait': { type: 'boolean' } },
  positionals: { min: 0, max: 0 },
  async run(io, _positionals, options) {
    const project = await io.project()
    const claim = await printClaimLink(io, project)
    if (claim === null || options['no-wait'] === true) {
      return undefined
    }
    await waitForApproval(io, project, claim)
    io.printResult({ status: 'approved', tenant_id: claim.tenant_id }, () => [
      `${io.colors.green('✓')} Approved: the tenant is claimed and no longer expires. Its keys keep working.`,
    ])
    return undefined
  },
}

/** null when the tenant is already claimed, which is a success. */
async function printClaimLink(io: CommandIo, project: Project): Promise<Claim | null> {
  try {
    const claim = await requestClaim(project)
    const { approval_url, confirmation_code, expires_at, tenant_id } = claim
    const validFor = formatDuration((Date.parse(expires_at) - Date.now()) / 1_000)
    io.printResult(
      { status: 'pending', tenant_id, approval_url, confirmation_code, expires_at },
      () => [
        `Open this link, sign in, and approve (valid for ${validFor}):`,
        '',
        `  ${io.colors.bold(approval_url)}`,
        '',
        `Confirmation code: ${io.colors.bold(confirmation_code)}. If the page shows another code, press Deny.`,
      ],
    )
    return claim
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'alreadyClaimed') {
      throw error
    }
    const { tenant_id } = project.credentials
    io.printResult({ status: 'approved', tenant_id }, () => [
      `${io.colors.green('✓')} This tenant is already claimed.`,
    ])
    return null
  }
}

async function waitForApproval(io: CommandIo, project: Project, claim: Claim): Promise<void> {
  const waiting = io.spinner(`Waiting for the decision on ${claim.tenant_id}…`)
  try {
    for (;;) {
      const poll = () => pollDecision(project, claim.wait.token)
      const { status } = await retryWhileUnavailable(poll, waiting.update)
      if (status === 'approved') {
        return
      }
      if (status !== 'pending') {
        throw notApproved(status)
      }
      await sleep(claim.wait.interval_seconds * 1_000, undefined, { signal: interruption }).catch(
        () => {},
      )
    }
  } catch (error) {
    if (!interruption.aborted) {
      throw error
    }
    throw interrupted(`The link stays valid. To see the decision, run: ${commandLine('status')}`)
  } finally {
    waiting.stop()
  }
}

/** A restart of the service must not end the wait. */
async function retryWhileUnavailable<T>(
  poll: () => Promise<T>,
  showStatus: (text: string) => void,
): Promise<T> {
  for (;;) {
    try {
      return await poll()
    } catch (error) {
      const isTransient =
        error instanceof Problem &&
        ['serviceUnreachable', 'temporarilyUnavailable'].includes(error.code)
      if (!isTransient) {
        throw error
      }
      showStatus('The service is unreachable; still waiting…')
      await sleep(RETRY_MS, undefined, { signal: interruption }).catch(() => {})
    }
  }
}

const notApproved = (status: 'denied' | 'expired'): Problem =>
  status === 'denied'
    ? new Problem(
        'claimDenied',
        'Request denied. Nothing was changed.',
        nextStep('Ask the person who denied it before you send another link.'),
      )
    : new Problem(
        'claimExpired',
        'The link expired without a decision, or a newer link replaced it.',
        {
          cli: `For a new link, run: ${commandLine('claim')}`,
          agent: 'Call claim_tenant for a new link.',
        },
      )
