import { issueText, UserMetadata } from '@gatehouse/contract'
import { ApiError } from '../../../domain/api-error.ts'
import { providerName } from '../../../domain/providers/provider.ts'
import { nameIssuers } from '../../../operations/providers/providers.ts'
import { listActivity } from '../../../operations/social-login/events.ts'
import { blockUser, unblockUser } from '../../../operations/users/block-user.ts'
import { deleteUser } from '../../../operations/users/delete-user.ts'
import { endUserSessions, listUserSessions } from '../../../operations/users/user-sessions.ts'
import { getUser, replaceUserMetadata } from '../../../operations/users/users.ts'
import { metadataEtag, numberIn } from '../../control/users.ts'
import type { Call } from '../../dependencies.ts'
import { parseJson } from '../../request/body.ts'
import { metadataView } from '../../views.ts'
import { consoleForm, consolePage, FormRejected } from '../console-page.ts'
import { accountPaths } from '../paths.ts'
import { userPage } from './user-page.ts'

const SHOWN = 20

const endSessionsForm = consoleForm({
  path: accountPaths.endUserSessions,
  run: ({ ctx, c, tenant, author }) => endUserSessions(ctx, tenant, idOf(c), author),
  done: { 'sessions-ended': 'All sessions ended. The user can sign in again.' },
})

const blockForm = consoleForm({
  path: accountPaths.blockUser,
  run: ({ ctx, c, tenant, author }) => blockUser(ctx, tenant, idOf(c), author),
  done: { blocked: 'User blocked, and all sessions ended.' },
})

const unblockForm = consoleForm({
  path: accountPaths.unblockUser,
  run: ({ ctx, c, tenant, author }) => unblockUser(ctx, tenant, idOf(c), author),
  done: { unblocked: 'User unblocked.' },
})

const CHANGED = 'The metadata was changed since you opened this page. Press Save again to replace it with your text.'

const metadataForm = consoleForm({
  path: accountPaths.replaceMetadata,
  id: 'metadata',
  async run({ ctx, c, tenant, author, form }) {
    const metadata = readMetadataField(form.get('metadata') ?? '')
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

const deleteForm = consoleForm({
  path: accountPaths.deleteUser,
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
  forms: [endSessionsForm, blockForm, unblockForm, metadataForm, deleteForm],
  notices: { 'session-ended': { message: 'Session ended.' } },
  async load({ ctx, c, tenant, rejected }) {
    const user = await getUser(ctx, tenant, idOf(c))
    const { sessions, hasMore } = await listUserSessions(ctx, tenant, user.id, { after: 0, limit: SHOWN })
    const { events } = await listActivity(ctx, tenant, { userId: user.id, limit: SHOWN })
    const provider = (await nameIssuers(ctx, tenant))(user.issuer)
    const typed = rejected?.id === metadataForm.id ? rejected : null
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
      metadata: {
        text: typed?.form.get('metadata') ?? (typed ? '' : JSON.stringify(metadataView(user.metadata), null, 2)),
        etag: metadataEtag(user.metadata),
        problem: typed?.message ?? null,
      },
      unconfirmed: rejected?.id === deleteForm.id,
    }
  },
  view: userPage,
})

/** null if the path has no number. */
function idOf(c: Call): number | null {
  return numberIn(c.req.param('userId') ?? '')
}

/** The metadata in a form field, checked as the API checks it, with the same messages. */
function readMetadataField(text: string): string {
  const read = UserMetadata.safeParse(parseField(text), { error: issueText })
  if (read.success) return JSON.stringify(read.data)
  throw new FormRejected(read.error.issues[0]?.message ?? 'Send a JSON object.')
}

function parseField(text: string): unknown {
  try {
    return parseJson(text.trim() === '' ? '{}' : text)
  } catch (error) {
    if (error instanceof ApiError) throw new FormRejected(error.message.replace('The body', 'The metadata'))
    throw error
  }
}
