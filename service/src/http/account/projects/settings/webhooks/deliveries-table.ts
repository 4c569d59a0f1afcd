import type { WebhookError } from '@gatehouse/contract'
import { isDelivered, type RecordedAttempt } from '../../../../../domain/webhooks/delivery.ts'
import { buttonForm } from '../../../../pages/button-form.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import { heading, hiddenHeading, numberHeading, scrollTable } from '../../../../pages/scroll-table.ts'
import { timestamp } from '../../../../pages/time.ts'

const ERRORS: Readonly<Record<WebhookError, string>> = {
  timeout: 'no response in 15 seconds',
  unreachable: 'no connection',
  tls: 'invalid certificate',
}

/** `200 after 41 ms` */
export const resultOf = ({ status, error, ms }: Pick<RecordedAttempt, 'status' | 'error' | 'ms'>): string =>
  `${error === null ? String(status) : ERRORS[error]} after ${ms} ms`

export interface Deliveries {
  /** The newest first. */
  readonly deliveries: readonly RecordedAttempt[]
  readonly now: number
  readonly csrf: string
  /** Where a button sends an event again. */
  readonly replayAction: string
}

export const deliveriesTable = ({ deliveries, now, csrf, replayAction }: Deliveries): Html =>
  deliveries.length === 0
    ? html`<p class="none">None in the last 7 days.</p>`
    : scrollTable({
        caption: 'Newest first, kept for 7 days',
        label: 'Deliveries',
        head: [
          heading('When'),
          heading('Event'),
          numberHeading('Attempt'),
          heading('Result'),
          hiddenHeading('Actions'),
        ],
        rows: deliveries.map(
          (attempt) => html`<tr>
            <td>${timestamp(attempt.at, now)}</td>
            <td id="delivery-${attempt.id}">${attempt.eventId === null ? 'Test' : `Event ${attempt.eventId}`}</td>
            <td class="number">${attempt.attempt}</td>
            <td>${isDelivered(attempt) ? 'Delivered' : html`<strong>Failed</strong>`}: ${resultOf(attempt)}</td>
            <td class="act">${
              attempt.eventId !== null &&
              buttonForm({
                action: replayAction,
                csrf,
                label: 'Send again',
                fields: { event_ids: attempt.eventId },
                variant: 'small',
                describedBy: `delivery-${attempt.id}`,
              })
            }</td>
          </tr>`,
        ),
      })
