import { KEY_REPLACEMENTS } from '../../../../operations/tenants/key-replacement.ts'
import { hiddenFields } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { keyChoices } from '../../key-choice.ts'
import { accountPaths } from '../../paths.ts'
import { consolePage, type Frame } from '../console.ts'

export interface Keys {
  /** Which keys the button replaces: it works once, however often it is pressed. */
  readonly keyGeneration: number
}

/** `/account/projects/:tenantId/keys`. */
export const keysPage = (frame: Frame, { keyGeneration }: Keys): Html =>
  consolePage(
    frame,
    'keys',
    html`
      <h2>Keys</h2>
      ${replaceKeys({ csrf: frame.csrf, tenantId: frame.project.tenantId, keyGeneration })}
    `,
  )

export interface ReplaceKeys extends Keys {
  readonly csrf: string
  readonly tenantId: string
}

export const replaceKeys = ({ csrf, tenantId, keyGeneration }: ReplaceKeys): Html => html`
  <p>Anyone with the key file can manage this project. If someone else may have seen it, replace the keys. The new file is shown once.</p>
  <form method="post" action="${accountPaths.replaceKeys(tenantId)}">
    ${hiddenFields({ csrf, generation: keyGeneration })}
    ${keyChoices('How soon', KEY_REPLACEMENTS)}
    <button class="quiet">Replace keys</button>
  </form>`
