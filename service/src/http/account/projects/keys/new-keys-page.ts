import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import { credentialsPath } from '../../../mcp/credentials-url.ts'
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
  /** What the owner did. */
  readonly event: 'created' | 'claimed' | 'replaced'
}

/** The only page that shows the new keys. A reload shows them again for a minute after the decision. */
export const newKeysPage = ({
  now,
  csrf,
  tenantId,
  credentialsFileContent,
  oldKeysUntil,
  event,
  operator,
}: NewKeys): Html =>
  accountLayout({
    operator,
    title: event === 'created' ? 'Your new project' : 'New keys',
    csrf,
    body: html`
      <h1>${event === 'created' ? 'Your new project' : 'New keys'}</h1>
      ${event === 'claimed' && html`<p class="notice">The project is yours and no longer expires.</p>`}
      <p class="lead">${event === 'created' ? 'The keys of' : 'For'} <code class="tenant">${displayText(tenantId)}</code>${event === 'created' ? ' are below.' : '.'} They work now. ${event !== 'created' && oldKeys(oldKeysUntil, now)}</p>
      <p class="notice caution"><strong>This is shown once.</strong> Save it before you leave this page. If you lose it, replace the keys again.</p>
      ${commandBlock(`The new ${CREDENTIALS_FILENAME} file`, credentialsFileContent)}
      ${event === 'created' && html`<p class="actions"><a class="button fit quiet" href="${credentialsPath(tenantId)}">Download ${CREDENTIALS_FILENAME}</a></p>`}
      <ol>
        <li>Save all of it as <code>${CREDENTIALS_FILENAME}</code> in the root of your code${event !== 'created' && ', replacing the old file'}. One click selects it.</li>
        <li>Keep it private: <code>chmod 600 ${CREDENTIALS_FILENAME}</code>, and no copy in version control, logs or chats.</li>
        ${event === 'created' ? nextSteps : html`<li>Deploy the new keys to your servers${oldKeysUntil === null ? ' now: they can’t use the old ones' : ' before the old ones expire'}.</li>`}
      </ol>
      <p><a href="${accountPaths.project(tenantId)}">Back to the project</a></p>
    `,
  })

const nextSteps = html`<li>Tell your coding agent to add sign-in with the project of this file, or follow <a href="/docs/quick-start">the quick start</a>.</li>`

const oldKeys = (until: number | null, now: number): Html =>
  until === null
    ? html`The old keys no longer work.`
    : html`The old keys work until ${timeTag(until)} (${relativeTime(until, now)}).`
