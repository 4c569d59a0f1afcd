import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import { commandBlock } from '../../pages/code.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { relativeTime, timeTag } from '../../pages/time.ts'
import { accountLayout } from '../layout.ts'
import { accountPaths } from '../paths.ts'

export interface NewKeys {
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  /** Shown verbatim, including the last line break. */
  readonly credentialsFileContent: string
  readonly oldKeysUntil: number
}

/** The only page that shows the new keys. */
export const newKeysPage = ({ now, csrf, tenantId, credentialsFileContent, oldKeysUntil }: NewKeys): Html =>
  accountLayout({
    title: 'New keys',
    csrf,
    body: html`
      <h1>New keys</h1>
      <p class="lead">For <code class="tenant">${displayText(tenantId)}</code>. They work now. The old keys work until ${timeTag(oldKeysUntil)} (${relativeTime(oldKeysUntil, now)}).</p>
      <p class="notice caution"><strong>This is shown once.</strong> Save it before you leave this page. If you lose it, replace the keys again.</p>
      ${commandBlock(`The new ${CREDENTIALS_FILENAME} file`, credentialsFileContent)}
      <ol>
        <li>Save all of it as <code>${CREDENTIALS_FILENAME}</code> in the root of your code, replacing the old file. One click selects it.</li>
        <li>Keep it private: <code>chmod 600 ${CREDENTIALS_FILENAME}</code>, and no copy in version control, logs or chats.</li>
        <li>Deploy the new keys to your servers before the old ones expire.</li>
      </ol>
      <p><a href="${accountPaths.project(tenantId)}">Back to the project</a></p>
    `,
  })
