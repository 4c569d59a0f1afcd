import { USER_METADATA_MAX_BYTES, USER_METADATA_MAX_DEPTH } from '@gatehouse/contract'
import { emailText, heading, hiddenHeading, type Person, personNames, scrollTable } from '../../pages/elements.ts'
import { buttonForm, hiddenFields } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { activityTable, type ListedActivity } from './activity.ts'
import { type Frame, projectLayout } from './project-page.ts'

export interface UserDetails {
  readonly user: ProjectUser
  /** The name of the provider; null: one that the owner has removed. */
  readonly provider: string | null
  readonly issuer: string
  readonly subject: string
  readonly sessions: UserSessions
  /** Newest first. */
  readonly activity: readonly ListedActivity[]
  readonly metadata: MetadataForm
  /** The owner pressed Delete without the confirmation. */
  readonly unconfirmed: boolean
}

/** `/account/projects/:tenantId/users/:userId`. */
export function userPage(frame: Frame, details: UserDetails): Html {
  const { csrf, project, now } = frame
  const { tenantId } = project
  const { user, sessions, activity } = details
  return projectLayout(
    frame,
    'users',
    html`
      <p class="crumb"><a href="${accountPaths.users(tenantId)}">All users</a></p>
      <h2 class="user-head" id="user">${user.name ? html`<bdi>${displayText(user.name)}</bdi>` : emailText(user.email)} ${user.blockedAt !== null && blockedBadge}</h2>
      ${facts(details, now)}
      <div class="buttons">
        ${sessions.sessions.length > 0 && buttonForm({ action: accountPaths.endUserSessions(tenantId, user.id), csrf, label: 'End all sessions', variant: 'quiet' })}
        ${
          user.blockedAt === null
            ? buttonForm({ action: accountPaths.blockUser(tenantId, user.id), csrf, label: 'Block', variant: 'quiet' })
            : buttonForm({
                action: accountPaths.unblockUser(tenantId, user.id),
                csrf,
                label: 'Unblock',
                variant: 'quiet',
              })
        }
      </div>
      <p class="small-print">${user.blockedAt === null ? 'Blocking ends all sessions and rejects new sign-ins.' : 'After unblocking, the user can sign in again.'}</p>
      <h2>Active sessions</h2>
      ${userSessions(frame, user.id, sessions)}
      <h2>Recent activity</h2>
      ${activityTable(tenantId, activity, now)}
      ${activity.length > 0 && html`<p><a href="${withQuery(accountPaths.project(tenantId), { user: user.id })}#activity">All activity of this user</a></p>`}
      <h2>Metadata</h2>
      ${metadataSection(frame, user.id, details.metadata)}
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
const userSessions = ({ csrf, project, now }: Frame, userId: number, { sessions, hasMore }: UserSessions): Html =>
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

interface MetadataForm {
  /** What the owner typed, or what is stored. */
  readonly text: string
  /** Of what is stored: a change that was made meanwhile must not be lost. */
  readonly etag: string
  /** Why the typed text wasn't saved. */
  readonly problem: string | null
}

/** Your own fields of a user, as JSON. */
const metadataSection = (
  { csrf, project }: Frame,
  userId: number,
  { text, etag, problem }: MetadataForm,
): Html => html`<form method="post" action="${accountPaths.replaceMetadata(project.tenantId, userId)}">
    ${hiddenFields({ csrf, etag })}
    <label for="metadata">Your own fields of this user: a JSON object of at most ${USER_METADATA_MAX_BYTES} bytes, ${USER_METADATA_MAX_DEPTH} levels deep</label>
    <textarea id="metadata" name="metadata" rows="${Math.min(16, Math.max(4, text.split('\n').length))}" spellcheck="false" autocapitalize="none"${
      problem !== null && html` autofocus aria-invalid="true" aria-describedby="metadata-problem"`
    }>
${text}</textarea>
    ${problem !== null && html`<p class="problem" id="metadata-problem" role="alert">${problem} Nothing was saved.</p>`}
    <button class="quiet">Save metadata</button>
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
      <button class="danger">Delete user</button>
    </form>
  </section>`

/** A user of the project. */
export interface ProjectUser extends Person {
  readonly id: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** null: the user may sign in. */
  readonly blockedAt: number | null
}

export const userTable = (tenantId: string, users: readonly ProjectUser[], caption: string, now: number): Html =>
  scrollTable({
    caption,
    label: 'Users',
    head: [
      heading('User'),
      html`<th scope="col" class="number spare">Id</th>`,
      html`<th scope="col" class="spare">First seen</th>`,
      heading('Last seen'),
    ],
    rows: users.map(
      (user) => html`<tr>
        <td class="who"><a href="${accountPaths.user(tenantId, user.id)}">${personNames(user)}</a> ${user.blockedAt !== null && blockedBadge}</td>
        <td class="number spare">${user.id}</td>
        <td class="spare">${timestamp(user.firstSeen, now)}</td>
        <td>${timestamp(user.lastSeen, now)}</td>
      </tr>`,
    ),
  })

const blockedBadge = html`<span class="badge warn">Blocked</span>`
