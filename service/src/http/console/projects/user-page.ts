import * as endpoints from '@gatehouse-auth/contract'
import { asciiLowerCase, Claims, type ProviderName, UserMetadata } from '@gatehouse-auth/contract'
import {
  CLAIMS_MAX_BYTES,
  USER_METADATA_MAX_BYTES,
  USER_METADATA_MAX_DEPTH,
} from '@gatehouse-auth/contract/limits'
import { ApiError, invalidRequest } from '../../../domain/api-error.ts'
import type { Invitation } from '../../../domain/login/invitation.ts'
import { providerName } from '../../../domain/providers/provider.ts'
import type { Session } from '../../../domain/sessions/session.ts'
import type { UserIdentity, UserRecord } from '../../../domain/users/user.ts'
import { listActivity } from '../../../operations/events/events.ts'
import { listInvitations } from '../../../operations/login/invitations.ts'
import { nameIssuers } from '../../../operations/providers/providers.ts'
import { blockUser, replaceUserClaims, unblockUser } from '../../../operations/users/block-user.ts'
import { deleteUser } from '../../../operations/users/delete-user.ts'
import {
  mergeUsers,
  pinUserIdentity,
  removeUserIdentity,
} from '../../../operations/users/identities.ts'
import { endUserSessions, listUserSessions } from '../../../operations/users/user-sessions.ts'
import { getUser, replaceUserMetadata } from '../../../operations/users/users.ts'
import { metadataEtag, metadataView } from '../../event-views.ts'
import { codeBlock, emailText, heading, hiddenHeading, scrollTable } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { numberIn } from '../../request/path-id.ts'
import { consoleForm, formButton, formElement, formState } from '../console-form.ts'
import { consolePage, type PageCall } from '../console-page.ts'
import type { FieldValue } from '../fields.ts'
import * as fields from '../fields.ts'
import { accountPaths, below, withQuery } from '../paths.ts'
import type { FormPost } from '../project-call.ts'
import { invitationState } from '../settings/invitations.ts'
import { activityTable, type ListedActivity } from './activity.ts'
import type { Frame } from './project-page.ts'
import { sessionTable } from './sessions.ts'
import { blockedBadge, type ProjectUser } from './users.ts'

const SHOWN = 20

/** Calls an operation that needs nothing but the user of the page. */
const onUser =
  (run: typeof blockUser | typeof endUserSessions) =>
  ({ ctx, item, tenant, author }: FormPost): Promise<unknown> =>
    run(ctx, tenant, numberIn(item), author)

const endSessionsForm = consoleForm({
  path: below(accountPaths.user, 'end-sessions'),
  button: 'End all sessions',
  done: {
    'sessions-ended': 'All sessions ended. The user can sign in again.',
  },
  run: onUser(endUserSessions),
})

const blockForm = consoleForm({
  path: below(accountPaths.user, 'block'),
  button: 'Block',
  done: {
    blocked: 'User blocked, and all sessions ended.',
  },
  run: onUser(blockUser),
})

const unblockForm = consoleForm({
  path: below(accountPaths.user, 'unblock'),
  button: 'Unblock',
  done: {
    unblocked: 'User unblocked.',
  },
  run: onUser(unblockUser),
})

const CHANGED =
  'The metadata was changed since you opened this page. Press Save again to replace it with your text.'

const metadataForm = consoleForm({
  path: below(accountPaths.user, 'metadata'),
  button: 'Save metadata',
  done: {
    'metadata-saved': 'Metadata saved.',
  },
  fields: {
    metadata: fields.json({
      schema: UserMetadata,
      label: 'Your own fields of this user',
      hint: `A JSON object of at most ${USER_METADATA_MAX_BYTES} bytes, ${USER_METADATA_MAX_DEPTH} levels deep.`,
    }),
  },
  errorFields: { metadataChanged: 'metadata' },
  run: (post, { metadata }) => saveMetadata(post, JSON.stringify(metadata)),
})

/** Replaces only the metadata that the page showed: a change that was made meanwhile must not be lost. */
async function saveMetadata(
  { ctx, item, tenant, author, form }: FormPost,
  metadata: string,
): Promise<void> {
  const shown = form.get('etag') ?? ''
  const isExpected = (stored: string | null): boolean => metadataEtag(stored) === shown
  try {
    await replaceUserMetadata(ctx, tenant, numberIn(item), { metadata, isExpected }, author)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'metadataChanged') {
      throw new ApiError('metadataChanged', CHANGED)
    }
    throw error
  }
}

const claimsForm = consoleForm({
  path: below(accountPaths.user, 'claims'),
  button: 'Save claims',
  done: {
    'claims-saved': 'Claims saved.',
  },
  fields: {
    claims: fields.json({
      schema: Claims,
      label: 'What your project says about this user',
      hint: `It’s part of [ID tokens](/docs/users#claims), such as \`{"role":"admin"}\`: a JSON object of at most ${CLAIMS_MAX_BYTES} bytes.`,
    }),
    end_sessions: fields.box({
      label: 'End all sessions of the user, too',
    }),
  },
  body: endpoints.replaceUserClaims.body,
  run: ({ ctx, item, tenant, author }, { claims, end_sessions: endSessions }) =>
    replaceUserClaims(ctx, tenant, numberIn(item), { claims, endSessions }, author),
})

const identityOf = ({ item, form }: FormPost) => ({
  userId: numberIn(item),
  provider: form.get('provider') ?? '',
  subject: form.get('subject') ?? undefined,
})

/** The errors of both are shown above the list of identities. */
const removeIdentityForm = consoleForm({
  path: below(accountPaths.user, 'remove-identity'),
  button: 'Remove this identity',
  done: {
    'identity-removed': 'Identity removed, and all sessions ended.',
  },
  fields: {},
  run: (post) => removeUserIdentity(post.ctx, post.tenant, identityOf(post), post.author),
})

const pinIdentityForm = consoleForm({
  path: below(accountPaths.user, 'pin-identity'),
  button: 'Pin',
  done: {
    'identity-pinned': 'Identity pinned. The user is shown with its address and name.',
    'identity-unpinned':
      'Identity no longer pinned. The next sign-in decides which address and name are shown.',
  },
  fields: {},
  async run(post) {
    const pinned = post.form.get('pinned') === 'true'
    await pinUserIdentity(post.ctx, post.tenant, identityOf(post), pinned, post.author)
    return pinned ? 'identity-pinned' : 'identity-unpinned'
  },
  outcome: (done) => done,
})

const mergeForm = consoleForm({
  path: below(accountPaths.user, 'merge'),
  button: 'Merge users',
  done: {
    merged: 'Users merged. The other user is deleted.',
  },
  fields: {
    from: fields.number({
      label: 'Id of the other user',
      hint: 'Check that both are the same person: an email address is no proof. [What a merge does](/docs/users#several-identities-of-one-user)',
      required: true,
    }),
    confirm: fields.box({
      label: 'Delete the other user permanently, with sessions, metadata and claims',
    }),
  },
  errorFields: { mergeRefused: 'from', userNotFound: 'from' },
  body: endpoints.mergeUsers.body,
  read({ confirm, ...entered }) {
    requireConfirmed(confirm, 'merged')
    return entered
  },
  run: ({ ctx, item, tenant, author }, { from }) =>
    mergeUsers(ctx, tenant, { userId: numberIn(item), from }, author),
})

/** By a check box, so that no user is deleted by one wrong press. */
function requireConfirmed(confirm: unknown, done: string): void {
  const problem = `Check the box to confirm. Nothing was ${done}.`
  if (confirm !== true) {
    throw invalidRequest(problem, [{ path: 'confirm', problem }])
  }
}

const deleteForm = consoleForm({
  path: below(accountPaths.user, 'delete'),
  button: 'Delete user',
  fields: {
    confirm: fields.box({
      label: 'Delete this user permanently',
    }),
  },
  async run({ ctx, item, tenant, author }, { confirm }) {
    requireConfirmed(confirm, 'deleted')
    await deleteUser(ctx, tenant, numberIn(item), author)
  },
  outcome: (_, { c, tenant }) =>
    c.redirect(`${accountPaths.users(tenant.id)}?done=user-deleted`, 303),
})

/** The page of one user. */
export const userRoute = consolePage({
  path: accountPaths.user,
  tab: 'users',
  forms: [
    endSessionsForm,
    blockForm,
    unblockForm,
    metadataForm,
    claimsForm,
    removeIdentityForm,
    pinIdentityForm,
    mergeForm,
    deleteForm,
  ],
  notices: { 'session-ended': { message: 'Session ended.' } },
  load: loadUser,
  view: userView,
})

type ShownUser = ProjectUser & Pick<UserRecord, 'picture'>

export interface UserDetails {
  readonly user: ShownUser
  readonly identities: readonly ShownIdentity[]
  /** For the address of the user. */
  readonly invitations: readonly Invitation[]
  readonly sessions: {
    readonly sessions: Parameters<typeof sessionTable>[1]
    readonly hasMore: boolean
  }
  /** Newest first. */
  readonly activity: readonly ListedActivity[]
  readonly metadata: { readonly value: unknown; readonly etag: string }
  readonly claims: unknown
}

async function loadUser({ ctx, item, tenant }: PageCall): Promise<UserDetails> {
  const user = await getUser(ctx, tenant, numberIn(item))
  const page = { after: 0, limit: SHOWN }
  const { sessions, hasMore } = await listUserSessions(ctx, tenant, user.id, page)
  const { events } = await listActivity(ctx, tenant, { userId: user.id, limit: SHOWN })
  const invitations = await listInvitations(ctx, tenant)
  const providerOf = await nameIssuers(ctx, tenant.id)

  return {
    user,
    identities: user.identities.map((identity) => ({
      ...identity,
      provider: providerOf(identity.issuer),
    })),
    invitations: invitations.filter(({ email }) => isAddressOf(user, email)),
    sessions: { sessions: sessions.map(shownSession), hasMore },
    activity: events,
    metadata: { value: metadataView(user.metadata), etag: metadataEtag(user.metadata) },
    claims: user.claims,
  }
}

const isAddressOf = (user: UserRecord, email: string | null): boolean =>
  email !== null && asciiLowerCase(email) === asciiLowerCase(user.email)

/** A session ends when it is not refreshed in time, and at its absolute end. */
const shownSession = ({ id, createdAt, rotatedAt, expiresAt, absoluteExpiresAt }: Session) => ({
  id,
  createdAt,
  rotatedAt,
  expiresAt: Math.min(expiresAt, absoluteExpiresAt),
})

function userView(frame: Frame, details: UserDetails): Html {
  const { user, metadata, claims } = details
  const save = { item: user.id, button: { variant: 'quiet' } } as const

  return html`
      <p class="crumb"><a href="${accountPaths.users(frame.project.tenantId)}">All users</a></p>
      <h2 class="user-head" id="user">${shownName(user)} ${user.blockedAt !== null && blockedBadge}</h2>
      ${facts(details, frame)}
      <details><summary>What your app gets</summary>${codeBlock('The response of verify', verified(user))}</details>
      ${sessionButtons(frame, details)}
      <h2>Identities</h2>
      ${identitiesSection(frame, details)}
      <h2>Active sessions</h2>
      ${userSessions(frame, user.id, details.sessions)}
      <h2>Recent activity</h2>
      ${recentActivity(frame, details)}
      <h2>Metadata</h2>
      ${formElement(metadataForm, frame, {
        ...save,
        values: { metadata: metadata.value as FieldValue },
        hidden: { etag: metadata.etag },
      })}
      <h2>Claims</h2>
      ${formElement(claimsForm, frame, { ...save, values: { claims: claims as FieldValue } })}
      <h2>Delete</h2>
      ${deleteSection(frame, user)}
    `
}

const shownName = ({ name, email }: ShownUser): string | Html =>
  name ? html`<bdi>${displayText(name)}</bdi>` : emailText(email)

function sessionButtons(frame: Frame, { user, sessions }: UserDetails): Html {
  const button = { item: user.id, variant: 'quiet' } as const
  const isBlocked = user.blockedAt !== null
  const meaning = isBlocked
    ? 'After unblocking, the user can sign in again.'
    : 'Blocking ends all sessions and rejects new sign-ins.'

  return html`<div class="buttons">
        ${sessions.sessions.length > 0 && formButton(endSessionsForm, frame, button)}
        ${formButton(isBlocked ? unblockForm : blockForm, frame, button)}
      </div>
      <p class="small-print">${meaning}</p>`
}

function identitiesSection(frame: Frame, { user, identities }: UserDetails): Html {
  const errors = [removeIdentityForm, pinIdentityForm].map((form) => formState(form, frame).message)
  const merge = formElement(mergeForm, frame, { item: user.id, button: { variant: 'danger' } })

  return html`${errors}
      ${identityTable(frame, user.id, identities)}
      <details${formState(mergeForm, frame).isRejected && html` open`}>
        <summary>Merge another user into this one</summary>
        ${merge}
      </details>`
}

function recentActivity({ now, project }: Frame, { user, activity }: UserDetails): Html {
  const all = `${withQuery(accountPaths.project(project.tenantId), { user: user.id })}#activity`
  return html`${activityTable(null, activity, now)}
      ${activity.length > 0 && html`<p><a href="${all}">All activity of this user</a></p>`}`
}

const deleteSection = (frame: Frame, { id, email }: ShownUser): Html =>
  html`<section class="danger" aria-label="Delete this user">
        <p>This ends the sessions of ${emailText(email)} and deletes what is stored about them. Events stay without user id, email address and return path. If they sign in again, they are a new user. Deletion can’t be undone.</p>
        ${formElement(deleteForm, frame, { item: id, button: { variant: 'danger' } })}
      </section>`

const verified = ({ id, email, name, picture }: ShownUser): string =>
  JSON.stringify({ valid: true, user: { id, email, name, picture } }, null, 2)

const facts = (
  { user, invitations }: UserDetails,
  { now, project }: Frame,
): Html => html`<dl class="facts wide">
    <div><dt>Email address</dt><dd>${emailText(user.email)}</dd></div>
    <div><dt>Id</dt><dd>${user.id}</dd></div>
    <div><dt>First seen</dt><dd>${timestamp(user.firstSeen, now)}</dd></div>
    <div><dt>Last seen</dt><dd>${timestamp(user.lastSeen, now)}</dd></div>
    ${user.blockedAt !== null && html`<div><dt>Blocked</dt><dd>${timestamp(user.blockedAt, now)}</dd></div>`}
    ${invitations.map((invitation) => html`<div><dt>Invitation</dt><dd><a href="${accountPaths.access(project.tenantId)}#invitation-links">${invitationState(invitation, now)}</a></dd></div>`)}
  </dl>`

interface ShownIdentity
  extends Pick<UserIdentity, 'issuer' | 'subject' | 'email' | 'pinned' | 'lastSeen'> {
  /** null: one that the owner has removed. */
  readonly provider: ProviderName | null
}

/** What the user can sign in with. The only identity has no buttons: a user without one can't sign in, or be shown with another. */
const identityTable = (frame: Frame, userId: number, identities: readonly ShownIdentity[]): Html =>
  scrollTable({
    caption: 'Removing one signs the user out. Signing in with it again creates a new user.',
    label: 'Identities',
    head: [...['Provider', 'Email address', 'Last seen'].map(heading), hiddenHeading('Action')],
    rows: identities.map((identity, index) => {
      const rowId = `identity-${index}`
      const buttons = identities.length > 1 && identityButtons(frame, userId, identity, rowId)
      return identityRow(identity, { rowId, now: frame.now, buttons })
    }),
  })

interface IdentityRow {
  readonly rowId: string
  readonly now: number
  readonly buttons: Html | false
}

const identityRow = (
  { provider, issuer, subject, email, pinned, lastSeen }: ShownIdentity,
  { rowId, now, buttons }: IdentityRow,
): Html => html`<tr id="${rowId}">
        <td class="who">${provider === null ? 'A removed provider' : providerName(provider, null)}: <code>${displayText(subject, 255)}</code> ${pinned && html`<span class="badge">Pinned</span>`} <span class="address">${displayText(issuer, 300)}</span></td>
        <td class="who">${emailText(email)}</td>
        <td>${timestamp(lastSeen, now)}</td>
        <td class="act">${buttons}</td>
      </tr>`

/** An identity of a removed provider has no buttons, because the API names an identity by its provider. */
function identityButtons(
  frame: Frame,
  userId: number,
  { provider, subject, pinned }: ShownIdentity,
  describedBy: string,
): Html | false {
  if (provider === null) {
    return false
  }

  const remove = { item: userId, fields: { provider, subject }, describedBy }
  const pin = {
    ...remove,
    fields: { provider, subject, pinned: String(!pinned) },
    label: pinned ? 'Unpin' : 'Pin',
  }
  return html`${formButton(pinIdentityForm, frame, pin)}
    ${formButton(removeIdentityForm, frame, remove)}`
}

/** The sessions of one user that can still be refreshed. */
const userSessions = (
  frame: Frame,
  user: number,
  { sessions, hasMore }: UserDetails['sessions'],
): Html =>
  sessions.length === 0
    ? html`<p class="none">No active sessions.</p>`
    : sessionTable(frame, sessions, {
        caption: hasMore ? `The ${sessions.length} oldest sessions` : 'Oldest first',
        fields: { user },
      })
