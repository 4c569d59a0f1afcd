import { KEY_REPLACEMENTS, type ReplacedKeys } from '../../../../operations/tenants/key-replacement.ts'
import { readKeyGeneration, readReplacedKeys, replaceKeys } from '../../../../operations/tenants/replace-keys.ts'
import type { SignedInOwner } from '../../../callers/account-session.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import { keptForDisplay } from '../../../callers/shown-secret-cookie.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { newTenantView } from '../../../views.ts'
import { ACCOUNT_FORMS, idField } from '../../form.ts'
import { readKeyChoice } from '../../key-choice.ts'
import { accountPaths } from '../../paths.ts'
import { projectPage, projectPost, readFrame, type StatusMessages, statusMessage } from '../project-route.ts'
import { keyFileOf } from './key-file.ts'
import { keysPage } from './keys-page.ts'
import { type NewKeys, newKeysPage } from './new-keys-page.ts'

const MESSAGES: StatusMessages = new Map([
  [
    'keys-unchanged',
    'These keys were already replaced, so nothing was changed. To replace the new ones, press the button again.',
  ],
  ['keys-hidden', 'New keys are shown once. If you haven’t saved them, replace them again.'],
])

/** The tab "Keys". */
export function projectKeyRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPage(app, deps, '/keys', async (c, project) => {
    const frame = await readFrame(deps, project, statusMessage(c, MESSAGES))
    return scriptedPage(c, keysPage(frame, { keyGeneration: await readKeyGeneration(ctx, project.tenant) }))
  })

  projectPost(app, deps, '/keys/replace', async (c, { owner, tenant, form }) => {
    const replaced = await replaceKeys(ctx, {
      tenant,
      replacement: readKeyChoice(form, KEY_REPLACEMENTS),
      generation: idField(form.get('generation')),
      secrets: owner.secrets,
      author: ownerAuthor(c, owner),
    })
    // A reload of the result repeats a GET and not the replacement.
    return c.redirect(
      replaced ? accountPaths.newKeys(tenant.id) : `${accountPaths.keys(tenant.id)}?done=keys-unchanged`,
      303,
    )
  })

  projectPage(app, deps, '/keys/new', async (c, { owner, tenant }) => {
    const content = keptForDisplay(ctx, c, owner, keyFileOf(tenant.id))
    if (content !== null)
      return showKeyFile(deps, c, owner, { tenantId: tenant.id, content, oldKeysUntil: null, event: 'created' })
    const replaced = await readReplacedKeys(ctx, { tenant, secrets: owner.secrets })
    return replaced === null
      ? c.redirect(`${accountPaths.keys(tenant.id)}?done=keys-hidden`, 303)
      : showNewKeys(deps, c, owner, replaced)
  })
}

/** The only response with the new keys. */
export const showNewKeys = (
  deps: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  replaced: ReplacedKeys,
  extra: { readonly justClaimed?: boolean } = {},
): Response =>
  showKeyFile(deps, c, owner, {
    tenantId: replaced.tenant.id,
    content: newTenantView(deps.ctx.baseUrl, replaced).credentials_file.content,
    oldKeysUntil: replaced.oldKeysUntil,
    event: extra.justClaimed === true ? 'claimed' : 'replaced',
  })

interface KeyFile extends Pick<NewKeys, 'tenantId' | 'oldKeysUntil' | 'event'> {
  readonly content: string
}

function showKeyFile(
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  { content, ...file }: KeyFile,
): Response {
  const csrf = owner.csrf(ACCOUNT_FORMS)
  return scriptedPage(c, newKeysPage({ operator, now: ctx.now(), csrf, credentialsFileContent: content, ...file }))
}
