import { setTimeout as sleep } from 'node:timers/promises'
import { nextDecision, requestClaim } from '../../api/claims.ts'
import type { Project } from '../../credentials/read.ts'
import { inWords } from '../../duration.ts'
import { either, Problem } from '../../problem.ts'
import type { CommandIo } from '../desk.ts'
import { interruptible } from '../interruptible.ts'
import type { Verb } from '../verb.ts'

type Link = Awaited<ReturnType<typeof requestClaim>>

const RETRY_MS = 2_000

export const claim: Verb = {
  name: 'claim',
  takes: '[--no-wait]',
  summary: 'print a link for a person to take ownership, and wait for their decision',
  more: [
    'They open the link, sign in, compare the confirmation code, and approve. Then the tenant no longer expires.',
    'A newer link ends an older one. With --json there are two lines: the link, and the decision.',
    '',
    '--no-wait          print the link and end; gatehouse-local status tells how it went',
  ],
  options: { 'no-wait': { type: 'boolean' } },
  words: { min: 0, max: 0 },
  async run(io, _words, options) {
    const project = await io.project()
    const link = await offered(io, project)
    if (link === null || options['no-wait'] === true) return undefined
    const decided = await interruptible((signal) => decision(io, project, link, signal))
    io.response({ status: 'approved', tenant_id: link.tenant_id }, () => [`${io.paint.green('✓')} ${decided}`])
    return undefined
  },
}

/** null: it has an owner already, which is what was wanted. */
async function offered(io: CommandIo, project: Project): Promise<Link | null> {
  try {
    const link = await requestClaim(project)
    const { approval_url, confirmation_code, expires_at, tenant_id } = link
    const minutes = inWords((Date.parse(expires_at) - Date.now()) / 1_000)
    io.response({ status: 'pending', tenant_id, approval_url, confirmation_code, expires_at }, () => [
      `Open this link, sign in, and approve (it is good for ${minutes}):`,
      '',
      `  ${io.paint.bold(approval_url)}`,
      '',
      `Confirmation code: ${io.paint.bold(confirmation_code)}. The page shows the same one; if it does not, press Deny.`,
    ])
    return link
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'alreadyClaimed') throw error
    const { tenant_id } = project.credentials
    io.response({ status: 'approved', tenant_id }, () => [
      `${io.paint.green('✓')} This tenant already has an owner. There is nothing to claim.`,
    ])
    return null
  }
}

async function decision(io: CommandIo, project: Project, link: Link, signal: AbortSignal): Promise<string> {
  const waiting = io.spinner(`Waiting for the decision about ${link.tenant_id}…`)
  try {
    for (;;) {
      const news = await askedAgain(() => nextDecision(project, link.wait.token, signal), waiting.say, signal)
      if (news.status === 'approved')
        return 'Approved: the tenant is owned and no longer expires. Its keys keep working.'
      if (news.status !== 'pending') throw decidedOtherwise(news.status)
      await sleep(link.wait.interval_seconds * 1_000, undefined, { signal }).catch(() => {})
    }
  } finally {
    waiting.stop()
  }
}

/** A service that restarts while a person makes up their mind is not the end of it. */
async function askedAgain<T>(ask: () => Promise<T>, say: (text: string) => void, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isPassing =
        error instanceof Problem && ['serviceUnreachable', 'temporarilyUnavailable'].includes(error.code)
      if (!isPassing) throw error
      say('The service is out of reach; still waiting…')
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

const decidedOtherwise = (status: 'denied' | 'expired'): Problem =>
  status === 'denied'
    ? new Problem(
        'claimDenied',
        'The person said no. The tenant is as it was.',
        either('Talk to them before you ask again.'),
      )
    : new Problem('claimExpired', 'The link ended before anybody decided, or a newer one replaced it.', {
        cli: 'For a new one: gatehouse-local claim',
        agent: 'For a new one: claim_tenant',
      })
