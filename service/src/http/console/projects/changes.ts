import { type AuditAction, type RefusalCode, refusalMeaning } from '@gatehouse-auth/contract'
import type { Actor } from '../../../domain/tenants/audit.ts'
import { heading, numberHeading, scrollTable } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, formatNumber } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'

/** A management action as the owner sees it. */
export interface Change {
  readonly action: AuditAction
  readonly actor: string
  readonly target: string | null
  readonly at: number
}

export const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  'claim.requested': 'Claim link requested',
  'tenant.claimed': 'Project claimed',
  'tenant.keys_replaced': 'Keys replaced',
  'tenant.renamed': 'Project renamed',
  'tenant.suspended': 'Project suspended',
  'tenant.lifted': 'Suspension lifted',
  'tenant.sessions_ended': 'All sessions of the project ended',
  'tenant.deleted': 'Project deleted',
  'social_login.provisioned': 'Callback URLs set',
  'social_login.removed': 'Social login removed, with all users',
  'settings.changed': 'Settings changed',
  'provider.changed': 'Sign-in provider set',
  'provider.removed': 'Sign-in provider removed',
  'provider.tested': 'Sign-in provider tested',
  'session.ended': 'Session ended',
  'user.blocked': 'User blocked',
  'user.unblocked': 'User unblocked',
  'user.deleted': 'User deleted',
  'user.sessions_ended': 'All sessions of a user ended',
  'user.metadata_changed': 'Metadata of a user changed',
  'user.claims_changed': 'Claims of a user changed',
  'user.identity_added': 'Identity added by a user',
  'user.identity_removed': 'Identity of a user removed',
  'user.identity_pinned': 'Profile of a user pinned or unpinned',
  'user.merged': 'Another user merged into a user',
  'user.removal_requested': 'Removal requested by a user',
  'user.removal_withdrawn': 'Removal request withdrawn',
  'user.consent_forgotten': 'Remembered consent forgotten',
  'invitation.created': 'Invitation created',
  'invitation.deleted': 'Invitation deleted',
  'users.exported': 'Users exported',
  'users.imported': 'Users imported',
  'brand.changed': 'Brand changed',
  'brand.deleted': 'Brand deleted',
  'brand.logo_changed': 'Logo changed',
  'brand.logo_deleted': 'Logo deleted',
  'domain.added': 'Domain added',
  'domain.verified': 'Domain verified',
  'domain.lapsed': 'Domain no longer verified',
  'domain.deleted': 'Domain deleted',
  'webhook.created': 'Webhook added',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_rotated': 'Webhook secret replaced',
  'webhook.replayed': 'Events sent again to a webhook',
}

/** `key` of `key:${string}`. */
type ActorKind<A = Actor> = A extends `${infer Kind}:${string}` ? Kind : A

const ACTOR_WORDS: Readonly<Record<ActorKind, string>> = {
  key: 'Management key',
  account: 'You',
  grant: 'A connected agent',
  person: 'A user of the app',
  operator: 'The operator of this service',
}

const WORDS_BY_KIND: ReadonlyMap<string, string> = new Map(Object.entries(ACTOR_WORDS))

const actorText = (actor: string): string => WORDS_BY_KIND.get(actor.split(':')[0] ?? '') ?? actor

/** A name of something; of the operator's actions a reason, which the notice shows completely. */
const what = (action: AuditAction, target: string | null): Html | false => {
  if (target === null) {
    return false
  }
  const isReason = action === 'tenant.suspended' || action === 'tenant.lifted'
  return isReason ? html`${displayText(target, 40)}` : html`<code>${displayText(target)}</code>`
}

export const changesTable = (changes: readonly Change[], now: number): Html =>
  scrollTable({
    none: 'No changes in the last 90 days.',
    caption: 'Newest first',
    label: 'Changes',
    head: ['Change', 'What', 'By', 'When'].map(heading),
    rows: changes.map(
      ({ action, actor, target, at }) => html`<tr>
            <td class="event">${ACTION_WORDS[action]}</td>
            <td>${what(action, target)}</td>
            <td>${displayText(actorText(actor))}</td>
            <td>${timestamp(at, now)}</td>
          </tr>`,
    ),
  })

/** A kind of refused sign-in as the owner sees it. */
export interface RefusedSignIn {
  readonly code: RefusalCode
  readonly sent: string | null
  readonly count: number
  readonly lastAt: number
  readonly fix: string
}

/** An address is kept up to 200 characters (`readableRedirectUri`). */
const SENT_MAX = 200
/** A fix is a few sentences, and may quote a registered callback URL, which has up to 2,048 characters. */
const FIX_MAX = 3_000

export const refusalsTable = (refusals: readonly RefusedSignIn[], now: number): Html =>
  scrollTable({
    none: 'None in the last 24 hours.',
    caption: 'In the last 24 hours, newest first',
    label: 'Refused sign-ins',
    head: [heading('Why'), heading('What to do'), numberHeading('Times'), heading('Last')],
    rows: refusals.map(
      ({ code, sent, count, lastAt, fix }) => html`<tr>
            <td class="refusal">${plainText(refusalMeaning(code))} ${sent !== null && html`<code class="sent">${displayText(sent, SENT_MAX)}</code>`}</td>
            <td class="refusal">${displayText(plainText(fix), FIX_MAX)}</td>
            <td class="number">${formatNumber(count)}</td>
            <td>${timestamp(lastAt, now)}</td>
          </tr>`,
    ),
  })

/** The meanings are Markdown, for the documentation. */
const plainText = (markdown: string): string => markdown.replaceAll('`', '')
