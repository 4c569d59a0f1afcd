import { type AuditAction, type RefusalCode, refusalMeaning } from '@gatehouse-auth/contract'
import actions from '../../../../content/actions.json' with { type: 'json' }
import words from '../../../../content/words.json' with { type: 'json' }
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

export const ACTION_WORDS: Readonly<Record<AuditAction, string>> = actions

const ACTOR_WORDS: ReadonlyMap<string, string> = new Map(Object.entries(words.actors))

const actorText = (actor: string): string => ACTOR_WORDS.get(actor.split(':')[0] ?? '') ?? actor

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
