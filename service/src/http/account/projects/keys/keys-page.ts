import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import type { TenantKey } from '../../../../domain/stores/stores.ts'
import { KEY_REPLACEMENTS } from '../../../../operations/tenants/keys.ts'
import { hiddenFields } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { keyChoices } from '../../key-choice.ts'
import { accountPaths } from '../../paths.ts'
import { consolePage, type Frame, unlessSuspended } from '../console.ts'
import { keysTable } from './keys-table.ts'

export interface Keys {
  /** Which keys the button replaces: it works once, however often it is pressed. */
  readonly keyGeneration: number
  readonly keys: readonly TenantKey[]
  /** We have a copy of the key file. */
  readonly fileIsKept: boolean
}

/** `/account/projects/:tenantId/keys`. */
export function keysPage(frame: Frame, { keyGeneration, keys, fileIsKept }: Keys): Html {
  const { csrf, now, project } = frame
  return consolePage(
    frame,
    'keys',
    html`
      <h2>Keys</h2>
      ${keysTable(keys, now)}
      <h2>Key file</h2>
      ${fileIsKept ? keptFile(project.tenantId) : html`<p>The file with these keys, <code>${CREDENTIALS_FILENAME}</code>, was shown once and isn’t stored here. If you lost it, replace the keys.</p>`}
      <h2>Replace the keys</h2>
      ${unlessSuspended(project, replaceKeys({ csrf, tenantId: project.tenantId, keyGeneration }))}
    `,
  )
}

const keptFile = (tenantId: string): Html => html`
  <p>The current keys, for your app or your coding agent.</p>
  <p class="actions"><a class="button fit quiet" href="${accountPaths.keyFile(tenantId)}" download="${CREDENTIALS_FILENAME}">Download ${CREDENTIALS_FILENAME}</a></p>`

export interface ReplaceKeys extends Pick<Keys, 'keyGeneration'> {
  readonly csrf: string
  readonly tenantId: string
}

export const replaceKeys = ({ csrf, tenantId, keyGeneration }: ReplaceKeys): Html => html`
  <p>Anyone with the key file can manage this project. If someone else may have seen it, replace the keys. The next page shows the new file.</p>
  <form method="post" action="${accountPaths.replaceKeys(tenantId)}">
    ${hiddenFields({ csrf, generation: keyGeneration })}
    ${keyChoices('How soon', KEY_REPLACEMENTS)}
    <button class="quiet">Replace keys</button>
  </form>`
