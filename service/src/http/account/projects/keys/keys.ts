import { KEY_REPLACEMENTS, listKeys, readKeyGeneration, replaceKeys } from '../../../../operations/tenants/keys.ts'
import { findKeptKeys } from '../../../../operations/tenants/status.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { idField } from '../../form.ts'
import { readKeyChoice } from '../../key-choice.ts'
import { accountPaths } from '../../paths.ts'
import { projectPage, projectPost, readFrame, type StatusMessages, statusMessage } from '../project-route.ts'
import { downloadKeyFile } from './key-file.ts'
import { keysPage } from './keys-page.ts'
import { contentOf, readNewKeyFile, showKeyFile } from './new-key-file.ts'

const MESSAGES: StatusMessages = new Map([
  [
    'keys-unchanged',
    'These keys were already replaced, so nothing was changed. To replace the new ones, press the button again.',
  ],
  ['keys-hidden', 'New keys are shown for a minute. If you haven’t saved them, replace them again.'],
])

/** The tab "Keys". */
export function projectKeyRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  const hidden = (c: Call, tenantId: string): Response =>
    c.redirect(`${accountPaths.keys(tenantId)}?done=keys-hidden`, 303)

  projectPage(app, deps, '/keys', async (c, project) => {
    const { tenant } = project
    const frame = await readFrame(deps, project, statusMessage(c, MESSAGES))
    const keys = {
      keyGeneration: await readKeyGeneration(ctx, tenant),
      keys: await listKeys(ctx, tenant),
      fileIsKept: (await findKeptKeys(ctx, tenant)) !== null,
    }
    return scriptedPage(c, keysPage(frame, keys))
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

  projectPage(app, deps, '/keys/new', async (c, project) => {
    const file = await readNewKeyFile(deps, c, project)
    return file === null ? hidden(c, project.tenant.id) : showKeyFile(deps, c, project, file)
  })

  projectPage(app, deps, '/keys/file', async (c, project) => {
    const kept = await findKeptKeys(ctx, project.tenant)
    const file = kept === null ? await readNewKeyFile(deps, c, project) : { content: contentOf(deps, kept) }
    return file === null ? hidden(c, project.tenant.id) : downloadKeyFile(c, file.content)
  })
}
