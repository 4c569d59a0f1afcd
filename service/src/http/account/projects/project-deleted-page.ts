import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { accountPaths } from '../paths.ts'

export const projectDeletedPage = ({ tenantId }: { readonly tenantId: string }): Html =>
  layout({
    kind: 'card',
    title: 'Project deleted',
    body: html`
      <h1>The project is deleted</h1>
      <p><code class="tenant">${displayText(tenantId)}</code> is gone, with its people, sessions, history, settings and keys. Nobody can sign in to it any more, and its key file opens nothing.</p>
      <p class="actions"><a class="button" href="${accountPaths.home}">Back to your projects</a></p>
    `,
  })
