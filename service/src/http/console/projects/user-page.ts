import {
  CLAIMS_MAX_BYTES,
  Claims,
  issueText,
  USER_METADATA_MAX_BYTES,
  USER_METADATA_MAX_DEPTH,
  UserMetadata,
} from '@gatehouse/contract'
import type { z } from 'zod'
import { ApiError } from '../../../domain/api-error.ts'
import { providerName } from '../../../domain/providers/provider.ts'
import { nameIssuers } from '../../../operations/providers/providers.ts'
import { listActivity } from '../../../operations/social-login/events.ts'
import { blockUser, replaceUserClaims, unblockUser } from '../../../operations/users/block-user.ts'
import { deleteUser } from '../../../operations/users/delete-user.ts'
import { endUserSessions, listUserSessions } from '../../../operations/users/user-sessions.ts'
import { getUser, replaceUserMetadata } from '../../../operations/users/users.ts'
import { metadataEtag, numberIn } from '../../control/users.ts'
import type { Call } from '../../dependencies.ts'
import { emailText, heading, hiddenHeading, scrollTable } from '../../pages/elements.ts'
import { hiddenFields } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { parseJson } from '../../request/body.ts'
import { metadataView } from '../../views.ts'
import { consoleForm, consolePage, FormRejected, formButton } from '../console-page.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { activityTable, type ListedActivity } from './activity.ts'
import { type Frame, projectLayout } from './project-page.ts'
import { endSessionForm } from './sessions.ts'
import { blockedBadge, type ProjectUser } from './users.ts'

const SHOWN = 20

const endSessionsForm = consoleForm({
  path: accountPaths.endUserSessions,
  button: 'End all sessions',
  run: ({ ctx, c, tenant, author }) => endUserSessions(ctx, tenant, idOf(c), author),
  done: { 'sessions-ended': 'All sessions ended. The user can sign in again.' },
})

const blockForm = consoleForm({
  path: accountPaths.blockUser,
  button: 'Block',
  run: ({ ctx, c, tenant, author }) => blockUser(ctx, tenant, idOf(c), author),
  done: { blocked: 'User blocked, and all sessions ended.' },
})

const unblockForm = consoleForm({
  path: accountPaths.unblockUser,
  button: 'Unblock',
  run: ({ ctx, c, tenant, author }) => unblockUser(ctx, tenant, idOf(c), author),
  done: { unblocked: 'User unblocked.' },
})

const CHANGED = 'The metadata was changed since you opened this page. Press Save again to replace it with your text.'

const metadataForm = consoleForm({
  path: accountPaths.replaceMetadata,
  button: 'Save metadata',
  id: 'metadata',
  async run({ ctx, c, tenant, author, form }) {
    const metadata = JSON.stringify(readField(UserMetadata, form, 'metadata'))
    const etag = form.get('etag') ?? ''
    const change = { metadata, isExpected: (stored: string | null) => metadataEtag(stored) === etag }
    try {
      await replaceUserMetadata(ctx, tenant, idOf(c), change, author)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'metadataChanged')) throw error
      throw new FormRejected(CHANGED, 412)
    }
  },
  done: { 'metadata-saved': 'Metadata saved.' },
})

const claimsForm = consoleForm({
  path: accountPaths.replaceClaims,
  button: 'Save claims',
  id: 'claims',
  async run({ ctx, c, tenant, author, form }) {
    const change = { claims: readField(Claims, form, 'claims'), endSessions: form.has('end_sessions') }
    await replaceUserClaims(ctx, tenant, idOf(c), change, author)
  },
  done: { 'claims-saved': 'Claims saved.' },
})

const deleteForm = consoleForm({
  path: accountPaths.deleteUser,
  button: 'Delete user',
  id: 'delete',
  async run({ ctx, c, tenant, author, form }) {
    if (form.get('confirm') !== 'yes') throw new FormRejected('The box is not checked.')
    await deleteUser(ctx, tenant, idOf(c), author)
  },
  outcome: (_, { c, tenant }) => c.redirect(`${accountPaths.users(tenant.id)}?done=user-deleted`, 303),
})

/** The page of one user. */
export const userRoute = consolePage({
  path: accountPaths.user,
  forms: [endSessionsForm, blockForm, unblockForm, metadataForm, claimsForm, deleteForm],
  notices: { 'session-ended': { message: 'Session ended.' } },
  async load({ ctx, c, tenant, rejected }) {
    const user = await getUser(ctx, tenant, idOf(c))
    const { sessions, hasMore } = await listUserSessions(ctx, tenant, user.id, { after: 0, limit: SHOWN })
    const { events } = await listActivity(ctx, tenant, { userId: user.id, limit: SHOWN })
    const provider = (await nameIssuers(ctx, tenant.id))(user.issuer)
    const typedIn = (form: { readonly id?: string }, stored: unknown): JsonField => {
      const typed = rejected?.id === form.id ? rejected : null
      return {
        text: typed?.form.get(form.id ?? '') ?? (typed ? '' : JSON.stringify(stored, null, 2)),
        problem: typed?.message ?? null,
      }
    }
    return {
      user,
      provider: provider === null ? null : providerName(provider, null),
      issuer: user.issuer,
      subject: user.subject,
      sessions: {
        sessions: sessions.map((session) => ({
          ...session,
          expiresAt: Math.min(session.expiresAt, session.absoluteExpiresAt),
        })),
        hasMore,
      },
      activity: events,
      metadata: { ...typedIn(metadataForm, metadataView(user.metadata)), etag: metadataEtag(user.metadata) },
      claims: typedIn(claimsForm, user.claims),
      unconfirmed: rejected?.id === deleteForm.id,
    }
  },
  view: userPage,
})

/** null if the path has no number. */
function idOf(c: Call): number | null {
  return numberIn(c.req.param('userId') ?? '')
}

/** The JSON in a form field, checked as the API checks it, with the same messages. */
function readField<T>(schema: z.ZodType<T>, form: URLSearchParams, name: string): T {
  const read = schema.safeParse(parseField(form.get(name) ?? ''), { error: issueText })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = issue?.path.length ? `${issue.path.join('.')}: ` : ''
  throw new FormRejected(`${at}${issue?.message ?? 'Send a JSON object.'}`)
}

function parseField(text: string): unknown {
  try {
    return parseJson(text.trim() === '' ? '{}' : text)
  } catch (error) {
    if (error instanceof ApiError)
      throw new FormRejected(error.message.replace('The body is not', 'Not').replace('The body is', 'It is'))
    throw error
  }
}

export interface UserDetails {
  readonly user: ProjectUser
  /** The name of the provider; null: one that the owner has removed. */
  readonly provider: string | null
  readonly issuer: string
  readonly subject: string
  readonly sessions: UserSessions
  /** Newest first. */
  readonly activity: readonly ListedActivity[]
  /** `etag` is of what is stored: a change that was made meanwhile must not be lost. */
  readonly metadata: JsonField & { readonly etag: string }
  readonly claims: JsonField
  /** The owner pressed Delete without the confirmation. */
  readonly unconfirmed: boolean
}

/** `/account/projects/:tenantId/users/:userId`. */
export function userPage(frame: Frame, details: UserDetails): Html {
  const { now } = frame
  const { tenantId } = frame.project
  const { user, sessions, activity } = details
  const button = { item: user.id, variant: 'quiet' } as const
  return projectLayout(
    frame,
    'users',
    html`
      <p class="crumb"><a href="${accountPaths.users(tenantId)}">All users</a></p>
      <h2 class="user-head" id="user">${user.name ? html`<bdi>${displayText(user.name)}</bdi>` : emailText(user.email)} ${user.blockedAt !== null && blockedBadge}</h2>
      ${facts(details, now)}
      <div class="buttons">
        ${sessions.sessions.length > 0 && formButton(endSessionsForm, frame, button)}
        ${formButton(user.blockedAt === null ? blockForm : unblockForm, frame, button)}
      </div>
      <p class="small-print">${user.blockedAt === null ? 'Blocking ends all sessions and rejects new sign-ins.' : 'After unblocking, the user can sign in again.'}</p>
      <h2>Active sessions</h2>
      ${userSessions(frame, user.id, sessions)}
      <h2>Recent activity</h2>
      ${activityTable(tenantId, activity, now)}
      ${activity.length > 0 && html`<p><a href="${withQuery(accountPaths.project(tenantId), { user: user.id })}#activity">All activity of this user</a></p>`}
      <h2>Metadata</h2>
      ${metadataSection(frame, user.id, details.metadata)}
      <h2>Claims</h2>
      ${claimsSection(frame, user.id, details.claims)}
      <h2>Delete</h2>
      ${deleteUserSection(frame, user, details.unconfirmed)}
    `,
  )
}

const facts = ({ user, provider, issuer, subject }: UserDetails, now: number): Html => html`<dl class="facts wide">
    <div><dt>Email address</dt><dd>${emailText(user.email)}</dd></div>
    <div><dt>Id</dt><dd>${user.id}</dd></div>
    <div><dt>First seen</dt><dd>${timestamp(user.firstSeen, now)}</dd></div>
    <div><dt>Last seen</dt><dd>${timestamp(user.lastSeen, now)}</dd></div>
    ${user.blockedAt !== null && html`<div><dt>Blocked</dt><dd>${timestamp(user.blockedAt, now)}</dd></div>`}
    <div><dt>Identity</dt><dd>${provider === null ? 'A removed provider' : displayText(provider)}: <code>${displayText(subject, 255)}</code> <span class="address">${displayText(issuer, 300)}</span></dd></div>
  </dl>`

interface UserSessions {
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
const userSessions = (frame: Frame, userId: number, { sessions, hasMore }: UserSessions): Html =>
  sessions.length === 0
    ? html`<p class="none">No active sessions.</p>`
    : scrollTable({
        caption: hasMore ? `The ${sessions.length} oldest sessions` : 'Oldest first',
        label: 'Active sessions',
        head: [...['Started', 'Last refreshed', 'Expires'].map(heading), hiddenHeading('Action')],
        rows: sessions.map(
          ({ id, createdAt, rotatedAt, expiresAt }) => html`<tr>
            <td id="session-${id}">${timestamp(createdAt, frame.now)}</td>
            <td>${timestamp(rotatedAt, frame.now)}</td>
            <td>${timestamp(expiresAt, frame.now)}</td>
            <td class="act">${formButton(endSessionForm, frame, { fields: { session: id, user: userId }, describedBy: `session-${id}` })}</td>
          </tr>`,
        ),
      })

interface JsonField {
  /** What the owner typed, or what is stored. */
  readonly text: string
  /** Why the typed text wasn't saved. */
  readonly problem: string | null
}

/** A text area for a JSON object. */
const jsonArea = (name: string, label: Html | string, { text, problem }: JsonField): Html => html`
    <label for="${name}">${label}</label>
    <textarea id="${name}" name="${name}" rows="${Math.min(16, Math.max(4, text.split('\n').length))}" spellcheck="false" autocapitalize="none"${
      problem !== null && html` autofocus aria-invalid="true" aria-describedby="${name}-problem"`
    }>
${text}</textarea>
    ${problem !== null && html`<p class="problem" id="${name}-problem" role="alert">${displayText(problem, 300)} Nothing was saved.</p>`}`

/** Your own fields of a user, as JSON. */
const metadataSection = (
  { csrf, project }: Frame,
  userId: number,
  { etag, ...field }: UserDetails['metadata'],
): Html => html`<form method="post" action="${accountPaths.replaceMetadata(project.tenantId, userId)}">
    ${hiddenFields({ csrf, etag })}
    ${jsonArea('metadata', `Your own fields of this user: a JSON object of at most ${USER_METADATA_MAX_BYTES} bytes, ${USER_METADATA_MAX_DEPTH} levels deep`, field)}
    <button class="quiet">${metadataForm.button}</button>
  </form>`

/** What other systems read about a user, as JSON. */
const claimsSection = (
  { csrf, project }: Frame,
  userId: number,
  field: JsonField,
): Html => html`<form method="post" action="${accountPaths.replaceClaims(project.tenantId, userId)}">
    ${hiddenFields({ csrf })}
    ${jsonArea('claims', html`What your project says about this user (<a href="/docs/users#claims">claims</a>), such as <code>{"role":"admin"}</code>: a JSON object of at most ${CLAIMS_MAX_BYTES} bytes`, field)}
    <label class="check"><input type="checkbox" name="end_sessions" value="yes"> <span>End all sessions of the user, too</span></label>
    <button class="quiet">${claimsForm.button}</button>
  </form>`

/** Confirmed by a check box, so that no user is deleted by one wrong press. */
const deleteUserSection = (
  { csrf, project }: Frame,
  { id, email }: Pick<ProjectUser, 'id' | 'email'>,
  unconfirmed: boolean,
): Html => html`<section class="danger" aria-label="Delete this user">
    <p>This ends the user’s sessions and deletes what is stored about them. Events stay without user id, email address and return path. If they sign in again, they are a new user. Deletion can’t be undone.</p>
    <form method="post" action="${accountPaths.deleteUser(project.tenantId, id)}">
      ${hiddenFields({ csrf })}
      <label class="check"><input type="checkbox" name="confirm" value="yes" required${
        unconfirmed && html` autofocus aria-invalid="true" aria-describedby="confirm-problem"`
      }> <span>Delete ${emailText(email)} permanently</span></label>
      ${unconfirmed && html`<p class="problem" id="confirm-problem" role="alert">Check the box to confirm. Nothing was deleted.</p>`}
      <button class="danger">${deleteForm.button}</button>
    </form>
  </section>`
