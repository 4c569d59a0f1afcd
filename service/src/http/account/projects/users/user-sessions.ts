import { buttonForm } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { heading, hiddenHeading, scrollTable } from '../../../pages/scroll-table.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'

export interface UserSessions {
  readonly sessions: readonly {
    readonly id: number
    readonly createdAt: number
    /** The time of the last refresh, or of the sign-in. */
    readonly rotatedAt: number
    readonly expiresAt: number
  }[]
  readonly hasMore: boolean
}

/** The sessions of one user that can still be refreshed. */
export const userSessions = (
  { csrf, project, now }: Frame,
  userId: number,
  { sessions, hasMore }: UserSessions,
): Html =>
  sessions.length === 0
    ? html`<p class="none">No active sessions.</p>`
    : scrollTable({
        caption: hasMore ? `The ${sessions.length} oldest sessions` : 'Oldest first',
        label: 'Active sessions',
        head: [...['Started', 'Last refreshed', 'Expires'].map(heading), hiddenHeading('Action')],
        rows: sessions.map(
          ({ id, createdAt, rotatedAt, expiresAt }) => html`<tr>
            <td id="session-${id}">${timestamp(createdAt, now)}</td>
            <td>${timestamp(rotatedAt, now)}</td>
            <td>${timestamp(expiresAt, now)}</td>
            <td class="act">${buttonForm({
              action: accountPaths.endProjectSession(project.tenantId),
              csrf,
              fields: { session: id, user: userId },
              label: 'End this session',
              variant: 'small',
              describedBy: `session-${id}`,
            })}</td>
          </tr>`,
        ),
      })
