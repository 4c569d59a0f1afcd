import { createInvitation as createInvitationEndpoint, INVITATION_DEFAULT_SECONDS } from '@gatehouse/contract'
import { type Invitation, invitationStatus } from '../../../domain/login/invitation.ts'
import { createInvitation, deleteInvitation } from '../../../operations/social-login/invitations.ts'
import { keepForDisplay, keptForDisplay } from '../../callers/sessions.ts'
import { commandBlock, heading, scrollTable } from '../../pages/elements.ts'
import { textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { consoleForm, formButton, formElement, formState, type ProjectCall } from '../console-page.ts'
import { numberField, type RejectedForm } from '../form-state.ts'
import { accountPaths } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'

const DAY_SECONDS = 24 * 3_600

/** Names the link for the page that shows it once. */
const linkOf = (tenantId: string): string => `invitation:${tenantId}`

const createForm = consoleForm({
  path: accountPaths.addInvitation,
  button: 'Create invitation',
  id: 'invitations',
  fields: ['email', 'uses', 'expires_in', 'role'],
  errorFields: { invitationLimit: 'email' },
  body: createInvitationEndpoint.body,
  read(form) {
    const [email, role] = ['email', 'role'].map((name) => (form.get(name) ?? '').trim())
    const days = numberField(form.get('expires_in'))
    return {
      ...(email && { email }),
      ...(role && { claims: { role } }),
      uses: numberField(form.get('uses')),
      expires_in: typeof days === 'number' ? days * DAY_SECONDS : days,
    }
  },
  async run({ ctx, c, owner, tenant, author }, body) {
    const { expires_in: expiresInSeconds, ...wanted } = body ?? {}
    const { url } = await createInvitation(ctx, tenant, { ...wanted, expiresInSeconds }, author)
    keepForDisplay(ctx, c, owner, linkOf(tenant.id), url)
  },
  done: { invited: 'Invitation created. Copy its link now: it’s shown only once. We don’t send mail.' },
  section: 'invitations',
})

const deleteForm = consoleForm({
  path: accountPaths.deleteInvitation,
  button: 'Delete',
  run: ({ ctx, tenant, author, form }) => deleteInvitation(ctx, tenant, form.get('invitation') ?? '', author),
  done: { 'invitation-deleted': 'Invitation deleted. Its link no longer works.' },
  section: 'invitations',
})

export const invitationForms = [createForm, deleteForm]

export interface Invitations {
  readonly invitations: readonly Invitation[]
  /** Of the invitation that was created a moment ago, in this session. */
  readonly link: string | null
}

export const readNewLink = ({ ctx, c, owner, tenant }: ProjectCall): string | null =>
  c.req.query('done') === 'invited' ? keptForDisplay(ctx, c, owner, linkOf(tenant.id)) : null

/** Links with which people become users of the app. */
export function invitationsSection(
  frame: Frame,
  { invitations, link }: Invitations,
  rejected: RejectedForm | null,
): Html {
  const form = formState(createForm, rejected)
  return html`
    <p>An invitation is a login link. Send it to the person yourself: we don’t send mail. <a href="/docs/invitations">How invitations work</a></p>
    ${link !== null && commandBlock('Link of the new invitation', link)}
    ${invitations.length > 0 && invitationsTable(frame, invitations)}
    <details${(form.isRejected || invitations.length === 0) && html` open`}>
      <summary>Invite someone</summary>
      ${formElement(createForm, frame, form, [
        textField({
          ...form.field('email', ''),
          label: 'E-mail address',
          hint: 'Only this address can use the link. Empty: anyone who has it.',
        }),
        textField({
          ...form.field('role', ''),
          label: 'Role',
          hint: html`Becomes the claim <code>role</code> of the user. Empty: none.`,
        }),
        textField({ ...form.field('uses', '1'), label: 'People who can use it', type: 'number' }),
        textField({
          ...form.field('expires_in', String(INVITATION_DEFAULT_SECONDS / DAY_SECONDS)),
          label: 'Days until it expires',
          type: 'number',
          max: 365,
        }),
      ])}
    </details>`
}

const invitationsTable = (frame: Frame, invitations: readonly Invitation[]): Html =>
  scrollTable({
    caption: 'Invitations, the newest first',
    label: 'Invitations',
    head: ['For', 'Used', 'State', ''].map(heading),
    rows: invitations.map(
      (invitation) => html`<tr>
        <td id="invitation-${invitation.id}">${invitation.email === null ? 'Anyone with the link' : displayText(invitation.email)}</td>
        <td>${invitation.used} of ${invitation.uses}</td>
        <td>${stateOf(invitation, frame.now)}</td>
        <td>${formButton(deleteForm, frame, { fields: { invitation: invitation.id }, describedBy: `invitation-${invitation.id}` })}</td>
      </tr>`,
    ),
  })

function stateOf(invitation: Invitation, now: number): Html {
  switch (invitationStatus(invitation, now)) {
    case 'used':
      return html`Used`
    case 'expired':
      return html`Expired ${timestampInText(invitation.expiresAt, now)}`
    case 'open':
      return html`Open until ${timestampInText(invitation.expiresAt, now)}`
  }
}
