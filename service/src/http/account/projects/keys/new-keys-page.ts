import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import { commandBlock } from '../../../pages/code.ts'
import { type Html, html } from '../../../pages/markup.ts'
import type { Operator } from '../../../pages/operator.ts'
import { displayText } from '../../../pages/text.ts'
import { relativeTime, timeTag } from '../../../pages/time.ts'
import { accountLayout } from '../../layout.ts'
import { accountPaths } from '../../paths.ts'

export interface NewKeys {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  /** Shown verbatim, including the last line break. */
  readonly credentialsFileContent: string
  /** null: they no longer work. */
  readonly oldKeysUntil: number | null
  /** The project was claimed by the same decision. */
  readonly justClaimed?: boolean
}

/** The only page that shows the new keys. A reload shows them again for a minute after the decision. */
export const newKeysPage = ({
  now,
  csrf,
  tenantId,
  credentialsFileContent,
  oldKeysUntil,
  justClaimed = false,
  operator,
}: NewKeys): Html =>
  accountLayout({
    operator,
    title: 'New keys',
    csrf,
    body: html`
      <h1>New keys</h1>
      ${justClaimed && html`<p class="notice">The project is yours and no longer expires.</p>`}
      <p class="lead">For <code class="tenant">${displayText(tenantId)}</code>. They work now. ${oldKeys(oldKeysUntil, now)}</p>
      <p class="notice caution"><strong>This is shown once.</strong> Save it before you leave this page. If you lose it, replace the keys again.</p>
      ${commandBlock(`The new ${CREDENTIALS_FILENAME} file`, credentialsFileContent)}
      <ol>
        <li>Save all of it as <code>${CREDENTIALS_FILENAME}</code> in the root of your code, replacing the old file. One click selects it.</li>
        <li>Keep it private: <code>chmod 600 ${CREDENTIALS_FILENAME}</code>, and no copy in version control, logs or chats.</li>
        <li>Deploy the new keys to your servers${oldKeysUntil === null ? ' now: they can’t use the old ones' : ' before the old ones expire'}.</li>
      </ol>
      <p><a href="${accountPaths.project(tenantId)}">Back to the project</a></p>
    `,
  })

const oldKeys = (until: number | null, now: number): Html =>
  until === null
    ? html`The old keys no longer work.`
    : html`The old keys work until ${timeTag(until)} (${relativeTime(until, now)}).`
