import {
  createInvitation as createInvitationEndpoint,
  INVITATION_DEFAULT_SECONDS,
} from '@gatehouse-auth/contract'
import { type Invitation, invitationStatus } from '../../../domain/login/invitation.ts'
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '../../../operations/login/invitations.ts'
import { keepForDisplay, keptForDisplay } from '../../callers/sessions.ts'
import { commandBlock, emailText, heading, scrollTable } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { timestampInText } from '../../pages/time.ts'
import { consoleForm, formButton, formElement } from '../console-form.ts'
import * as fields from '../fields.ts'
import { accountPaths, below } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { settingsSection } from './settings-page.ts'

const DAY_SECONDS = 24 * 3_600

/** Names the link for the page that shows it once. */
const linkOf = (tenantId: string): string => `invitation:${tenantId}`

const createForm = consoleForm({
  path: below(accountPaths.access, 'invitations'),
  button: 'Create invitation',
  done: {
    invited: 'Invitation created. Copy its link now: it’s shown only once. We don’t send mail.',
  },
  fields: {
    email: fields.optional({
      label: 'Email address',
      hint: 'Only this address can use the link. Empty: anyone who has it.',
    }),
    role: fields.optional({
      label: 'Role',
      hint: 'Becomes the claim `role` of the user. Empty: none.',
    }),
    uses: fields.number({
      label: 'People who can use it',
    }),
    expires_in: fields.number({
      label: 'Days until it expires',
      max: 365,
    }),
  },
  errorFields: { invitationLimit: 'email' },
  body: createInvitationEndpoint.body,
  read: ({ role, expires_in: days, ...entered }) => ({
    ...entered,
    ...(role !== undefined && { claims: { role } }),
    expires_in: typeof days === 'number' ? days * DAY_SECONDS : days,
  }),
  async run({ ctx, c, owner, tenant, author }, body) {
    const { expires_in: expiresInSeconds, ...wanted } = body ?? {}
    const { url } = await createInvitation(ctx, tenant, { ...wanted, expiresInSeconds }, author)
    keepForDisplay(ctx, c, owner, linkOf(tenant.id), url)
  },
})

const deleteForm = consoleForm({
  path: below(accountPaths.access, 'invitations/delete'),
  button: 'Delete',
  done: {
    'invitation-deleted': 'Invitation deleted. Its link no longer works.',
  },
  run: ({ ctx, tenant, author, form }) =>
    deleteInvitation(ctx, tenant, form.get('invitation') ?? '', author),
})

/** Links with which people become users of the app. */
export const invitationsSection = settingsSection({
  id: 'invitation-links',
  title: 'Invitations',
  forms: [createForm, deleteForm],
  async load({ ctx, c, owner, tenant, project }) {
    if (project.callbackHosts.length === 0) {
      return null
    }
    // The link of an invitation is shown once, after this session has created it.
    const link =
      c.req.query('done') === 'invited' ? keptForDisplay(ctx, c, owner, linkOf(tenant.id)) : null
    return { invitations: await listInvitations(ctx, tenant), link }
  },
  view: (frame, { invitations, link }) => html`
    <p>An invitation is a login link. Send it to the person yourself: we don’t send mail. <a href="/docs/invitations">How invitations work</a></p>
    ${link !== null && commandBlock('Link of the new invitation', link)}
    ${invitations.length > 0 && invitationsTable(frame, invitations)}
    <details${(frame.rejected?.id === createForm.id || frame.notice?.form === createForm.id || invitations.length === 0) && html` open`}>
      <summary>Invite someone</summary>
      ${formElement(createForm, frame, { values: { uses: 1, expires_in: INVITATION_DEFAULT_SECONDS / DAY_SECONDS } })}
    </details>`,
})

const invitationsTable = (frame: Frame, invitations: readonly Invitation[]): Html =>
  scrollTable({
    caption: 'Invitations, the newest first',
    label: 'Invitations',
    head: ['For', 'Used', 'State', ''].map(heading),
    rows: invitations.map(
      (invitation) => html`<tr>
        <td id="invitation-${invitation.id}">${invitation.email === null ? 'Anyone with the link' : emailText(invitation.email)}</td>
        <td>${invitation.used} of ${invitation.uses}</td>
        <td>${invitationState(invitation, frame.now)}</td>
        <td>${formButton(deleteForm, frame, { fields: { invitation: invitation.id }, describedBy: `invitation-${invitation.id}` })}</td>
      </tr>`,
    ),
  })

export function invitationState(invitation: Invitation, now: number): Html {
  switch (invitationStatus(invitation, now)) {
    case 'used':
      return html`Used`
    case 'expired':
      return html`Expired ${timestampInText(invitation.expiresAt, now)}`
    case 'open':
      return html`Open, expires ${timestampInText(invitation.expiresAt, now)}`
  }
}
