import { buttonForm } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { emailText } from '../../../pages/person.ts'
import { displayText } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths, withQuery } from '../../paths.ts'
import { consolePage, type Frame } from '../console.ts'
import { activityTable, type ListedActivity } from '../overview/activity-table.ts'
import { deleteUserSection } from './delete-user-section.ts'
import { type MetadataForm, metadataSection } from './metadata-section.ts'
import { type UserSessions, userSessions } from './user-sessions.ts'
import { blockedBadge, type ProjectUser } from './user-table.ts'

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
export const userPage = (frame: Frame, details: UserDetails): Html => {
  const { csrf, project, now } = frame
  const { tenantId } = project
  const { user, sessions, activity } = details
  return consolePage(
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
