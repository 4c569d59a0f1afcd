import { USER_METADATA_MAX_BYTES, USER_METADATA_MAX_DEPTH } from '@gatehouse/contract'
import { hiddenFields } from '../../../pages/button-form.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { accountPaths } from '../../paths.ts'
import type { Frame } from '../console.ts'

export interface MetadataForm {
  /** What the owner typed, or what is stored. */
  readonly text: string
  /** Of what is stored: a change that was made meanwhile must not be lost. */
  readonly etag: string
  /** Why the typed text wasn't saved. */
  readonly problem: string | null
}

/** Your own fields of a user, as JSON. */
export const metadataSection = (
  { csrf, project }: Frame,
  userId: number,
  { text, etag, problem }: MetadataForm,
): Html => html`<form method="post" action="${accountPaths.replaceMetadata(project.tenantId, userId)}">
    ${hiddenFields({ csrf, etag })}
    <label for="metadata">Your own fields of this user: a JSON object of at most ${USER_METADATA_MAX_BYTES} bytes, ${USER_METADATA_MAX_DEPTH} levels deep</label>
    <textarea id="metadata" name="metadata" rows="${Math.min(16, Math.max(4, text.split('\n').length))}" spellcheck="false" autocapitalize="none"${
      problem !== null && html` autofocus aria-invalid="true" aria-describedby="metadata-problem"`
    }>
${text}</textarea>
    ${problem !== null && html`<p class="problem" id="metadata-problem" role="alert">${problem} Nothing was saved.</p>`}
    <button class="quiet">Save metadata</button>
  </form>`
