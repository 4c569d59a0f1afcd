import { defined } from '../../../domain/defined.ts'
import type { ActiveSession } from '../../../domain/stores/stores.ts'
import { readProject } from '../../../operations/events/insights.ts'
import { endSession, listActiveSessions } from '../../../operations/sessions/end-session.ts'
import { emailText, heading, hiddenHeading, scrollTable } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { formatCount } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { consoleForm, formButton } from '../console-form.ts'
import { consolePage } from '../console-page.ts'
import { idField } from '../form.ts'
import { accountPaths, below, withQuery } from '../paths.ts'
import { type Frame, pager } from './project-page.ts'

const SHOWN = 25

const endSessionForm = consoleForm({
  path: below(accountPaths.sessions, 'end'),
  button: 'End this session',
  done: {
    'session-ended': 'Session ended.',
  },
  run: ({ ctx, tenant, author, form }) =>
    endSession(ctx, tenant, idField(form.get('session')), 'owner', author),
  // The button is on the page of the user, too.
  outcome(_, { c, tenant, form }) {
    const userId = idField(form.get('user'))
    const back =
      userId > 0 ? accountPaths.user(tenant.id, userId) : accountPaths.sessions(tenant.id)
    return c.redirect(
      withQuery(back, { before: pageField(form.get('before')), done: 'session-ended' }),
      303,
    )
  },
})

/** The tab "Sessions". */
export const sessionsRoute = consolePage({
  path: accountPaths.sessions,
  tab: 'sessions',
  forms: [endSessionForm],
  async load({ ctx, c, tenant }) {
    const { activeSessions } = await readProject(ctx, tenant)
    const before = pageField(c.req.query('before') ?? null)
    const listed = await listActiveSessions(ctx, tenant, { limit: SHOWN, ...defined({ before }) })
    return { ...listed, total: activeSessions, before }
  },
  view: (frame, sessions) => html`<h2>Active sessions</h2>${list(frame, sessions)}`,
})

/** The last session of the previous page. */
function pageField(value: string | null): number | undefined {
  const id = idField(value)
  return id > 0 ? id : undefined
}

export interface Sessions {
  /** How many there are. */
  readonly total: number
  readonly sessions: readonly ActiveSession[]
  readonly hasMore: boolean
  /** The last session of the previous page; undefined: this is the first. */
  readonly before: number | undefined
}

function list(frame: Frame, { total, sessions, hasMore, before }: Sessions): Html {
  const path = accountPaths.sessions(frame.project.tenantId)
  if (sessions.length === 0) {
    return before === undefined
      ? html`<p class="none">No active sessions.</p>`
      : html`<p class="none">No older sessions. <a href="${path}">Show the newest</a></p>`
  }

  const caption = `${formatCount(total, 'active session', 'active sessions')}, newest first`
  const table = sessionTable(frame, sessions, { caption, fields: { before } })
  const pages = pager({
    label: 'Pages of sessions',
    first: before === undefined ? null : path,
    next: hasMore ? withQuery(path, { before: sessions.at(-1)?.id }) : null,
  })
  return html`${table}
    ${pages}`
}

interface SessionTable {
  readonly caption: string
  /** What the button sends besides the session, to return to this page. */
  readonly fields: Readonly<Record<string, number | undefined>>
}

interface ShownSession
  extends Pick<ActiveSession, 'id' | 'createdAt' | 'rotatedAt'>,
    Partial<Pick<ActiveSession, 'userId' | 'email'>> {
  /** Only on the page of a user. */
  readonly expiresAt?: number
}

/** On the page of a user, sessions have an end instead of a user. */
export const sessionTable = (
  frame: Frame,
  sessions: readonly ShownSession[],
  { caption, fields }: SessionTable,
): Html =>
  scrollTable({
    caption,
    label: 'Active sessions',
    head: [...columns(sessions), hiddenHeading('Action')],
    rows: sessions.map((session) => sessionRow(frame, session, fields)),
  })

function columns([first]: readonly ShownSession[]): Html[] {
  if (first?.expiresAt !== undefined) {
    return ['Started', 'Last refreshed', 'Expires'].map(heading)
  }
  const started = html`<th scope="col" class="spare">Started</th>`
  return [heading('User'), started, heading('Last refreshed')]
}

function sessionRow(
  frame: Frame,
  { id, userId, email, createdAt, rotatedAt, expiresAt }: ShownSession,
  fields: SessionTable['fields'],
): Html {
  const { now, project } = frame
  const rowId = `session-${id}`
  const user =
    userId !== undefined &&
    html`<td class="who"><a href="${accountPaths.user(project.tenantId, userId)}">${emailText(email ?? '')}</a></td>`
  const expiry = expiresAt !== undefined && html`<td>${timestamp(expiresAt, now)}</td>`
  const endButton = formButton(endSessionForm, frame, {
    fields: { session: id, ...fields },
    describedBy: rowId,
  })

  return html`<tr id="${rowId}">
        ${user}
        <td${userId !== undefined && html` class="spare"`}>${timestamp(createdAt, now)}</td>
        <td>${timestamp(rotatedAt, now)}</td>
        ${expiry}
        <td class="act">${endButton}</td>
      </tr>`
}
