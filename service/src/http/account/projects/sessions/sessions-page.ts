import { buttonForm } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { heading, hiddenHeading, scrollTable } from '../../../pages/scroll-table.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths } from '../../paths.ts'
import { consolePage, type Frame } from '../console.ts'
import { type Newest, shownOf } from '../newest.ts'

/** A session that can still be refreshed. */
export interface ProjectSession {
  readonly id: number
  readonly userId: number
  readonly email: string
  readonly createdAt: number
  /** The time of the last refresh, or of the sign-in. */
  readonly rotatedAt: number
}

/** `/account/projects/:tenantId/sessions`. */
export const sessionsPage = (frame: Frame, sessions: Newest<ProjectSession>): Html =>
  consolePage(
    frame,
    'sessions',
    html`
      <h2>Active sessions</h2>
      ${sessionTable(frame, sessions)}
    `,
  )

const sessionTable = ({ project, csrf, now }: Frame, sessions: Newest<ProjectSession>): Html =>
  sessions.recent.length === 0
    ? html`<p class="none">No active sessions.</p>`
    : scrollTable({
        caption: `${shownOf(sessions, 'active session', 'active sessions')}, last used first`,
        label: 'Active sessions',
        head: [...['User', 'Started', 'Last refreshed'].map(heading), hiddenHeading('Action')],
        rows: sessions.recent.map(
          ({ id, userId, email, createdAt, rotatedAt }) => html`<tr>
            <td class="who" id="session-${id}"><a href="${accountPaths.user(project.tenantId, userId)}">${emailText(email)}</a></td>
            <td>${timestamp(createdAt, now)}</td>
            <td>${timestamp(rotatedAt, now)}</td>
            <td class="act">${buttonForm({
              action: accountPaths.endProjectSession(project.tenantId),
              csrf,
              fields: { session: id },
              label: 'End this session',
              variant: 'small',
              describedBy: `session-${id}`,
            })}</td>
          </tr>`,
        ),
      })
