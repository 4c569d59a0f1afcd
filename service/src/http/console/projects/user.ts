import { issueText, UserMetadata } from '@gatehouse/contract'
import { ApiError } from '../../../domain/api-error.ts'
import { providerName } from '../../../domain/providers/provider.ts'
import { nameIssuers } from '../../../operations/providers/providers.ts'
import { listActivity } from '../../../operations/social-login/events.ts'
import { blockUser, unblockUser } from '../../../operations/users/block-user.ts'
import { deleteUser } from '../../../operations/users/delete-user.ts'
import { endUserSessions, listUserSessions } from '../../../operations/users/user-sessions.ts'
import { getUser, replaceUserMetadata } from '../../../operations/users/users.ts'
import { ownerAuthor } from '../../callers/author.ts'
import { metadataEtag, numberIn } from '../../control/users.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { parseJson } from '../../request/body.ts'
import { scriptedPage } from '../../responses.ts'
import { metadataView } from '../../views.ts'
import { accountPaths } from '../paths.ts'
import {
  type OwnedProject,
  projectPage,
  projectPost,
  readFrame,
  type StatusMessages,
  statusMessage,
} from './project-route.ts'
import { userPage } from './user-page.ts'

const SHOWN = 20

const MESSAGES: StatusMessages = new Map([
  ['session-ended', 'Session ended.'],
  ['sessions-ended', 'All sessions ended. The user can sign in again.'],
  ['blocked', 'User blocked, and all sessions ended.'],
  ['unblocked', 'User unblocked.'],
  ['metadata-saved', 'Metadata saved.'],
])

/** The page of one user. Its forms call the operations of the API. */
export function projectUserPageRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const done = (c: Call, { tenant }: OwnedProject, message: string): Response =>
    c.redirect(`${accountPaths.user(tenant.id, idOf(c) ?? 0)}?done=${message}`, 303)

  projectPage(app, deps, accountPaths.user, (c, project) => show(deps, c, project))

  projectPost(app, deps, accountPaths.endUserSessions, async (c, project) => {
    await endUserSessions(ctx, project.tenant, idOf(c), ownerAuthor(c, project.owner))
    return done(c, project, 'sessions-ended')
  })

  projectPost(app, deps, accountPaths.blockUser, async (c, project) => {
    await blockUser(ctx, project.tenant, idOf(c), ownerAuthor(c, project.owner))
    return done(c, project, 'blocked')
  })

  projectPost(app, deps, accountPaths.unblockUser, async (c, project) => {
    await unblockUser(ctx, project.tenant, idOf(c), ownerAuthor(c, project.owner))
    return done(c, project, 'unblocked')
  })

  projectPost(app, deps, accountPaths.replaceMetadata, async (c, project) => {
    const text = project.form.get('metadata') ?? ''
    const etag = project.form.get('etag') ?? ''
    const read = readMetadataField(text)
    if ('problem' in read) return show(deps, c, project, { text, problem: read.problem }, 400)
    const change = { metadata: read.metadata, isExpected: (stored: string | null) => metadataEtag(stored) === etag }
    try {
      await replaceUserMetadata(ctx, project.tenant, idOf(c), change, ownerAuthor(c, project.owner))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'metadataChanged')) throw error
      return show(deps, c, project, { text, problem: CHANGED }, 412)
    }
    return done(c, project, 'metadata-saved')
  })

  projectPost(app, deps, accountPaths.deleteUser, async (c, project) => {
    if (project.form.get('confirm') !== 'yes') return show(deps, c, project, { unconfirmed: true }, 400)
    await deleteUser(ctx, project.tenant, idOf(c), ownerAuthor(c, project.owner))
    return c.redirect(`${accountPaths.users(project.tenant.id)}?done=user-deleted`, 303)
  })
}

const CHANGED = 'The metadata was changed since you opened this page. Press Save again to replace it with your text.'

/** null if the path has no number. */
const idOf = (c: Call): number | null => numberIn(c.req.param('userId') ?? '')

interface Refused {
  readonly text?: string
  readonly problem?: string
  readonly unconfirmed?: boolean
}

async function show(
  deps: HttpDependencies,
  c: Call,
  project: OwnedProject,
  { text, problem = undefined, unconfirmed = false }: Refused = {},
  status = 200,
): Promise<Response> {
  const { ctx } = deps
  const { tenant } = project
  const user = await getUser(ctx, tenant, idOf(c))
  const { sessions, hasMore } = await listUserSessions(ctx, tenant, user.id, { after: 0, limit: SHOWN })
  const { events } = await listActivity(ctx, tenant, { userId: user.id, limit: SHOWN })
  const provider = (await nameIssuers(ctx, tenant))(user.issuer)
  const html = userPage(await readFrame(deps, project, statusMessage(c, MESSAGES)), {
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
      text: text ?? JSON.stringify(metadataView(user.metadata), null, 2),
      etag: metadataEtag(user.metadata),
      problem: problem ?? null,
    },
    unconfirmed,
  })
  return scriptedPage(c, html, status)
}

type ReadMetadata = { readonly metadata: string } | { readonly problem: string }

/** The metadata in a form field, checked as the API checks it, with the same messages. */
function readMetadataField(text: string): ReadMetadata {
  try {
    const read = UserMetadata.safeParse(parseJson(text.trim() === '' ? '{}' : text), { error: issueText })
    return read.success
      ? { metadata: JSON.stringify(read.data) }
      : { problem: read.error.issues[0]?.message ?? 'Send a JSON object.' }
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message.replace('The body', 'The metadata') }
    throw error
  }
}
