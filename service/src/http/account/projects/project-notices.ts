import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'

const REASON_SHOWN = 500

export interface Suspension {
  readonly at: number
  readonly reason: string
}

/** The operator's decision, why, and what the owner can do about it. */
export const suspensionNotice = ({
  suspension,
  now,
  operator,
}: {
  readonly suspension: Suspension | null
  readonly now: number
  readonly operator: Operator
}): Html | false =>
  suspension !== null &&
  html`<div class="notice caution" role="status">
    <h2>This project is suspended</h2>
    <p>The operator of this service suspended it ${timestamp(suspension.at, now)}.</p>
    <p><strong>Reason:</strong> ${displayText(suspension.reason, REASON_SHOWN)}</p>
    <p>Users can’t sign in, their sessions and your webhooks wait, and nothing can be changed. Nothing is lost: everything continues when the suspension is lifted.
      To answer, send feedback with your management key (<code>POST /api/feedback/service</code>)${operator.supportUrl !== null && html` or <a href="${operator.supportUrl}">contact support</a>`}.</p>
  </div>`

/** What is left of a removed social login. */
export const deletionNotice = (rowsLeft: number): Html | false =>
  rowsLeft > 0 &&
  html`<p class="notice" role="status">The removed social login is being erased: ${rowsLeft.toLocaleString('en')} rows left. They are unreadable already.</p>`
