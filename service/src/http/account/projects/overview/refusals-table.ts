import { type RefusalCode, refusalMeaning } from '@gatehouse/contract'
import { type Html, html } from '../../../pages/markup.ts'
import { heading, numberHeading, scrollTable } from '../../../pages/scroll-table.ts'
import { displayText, formatNumber } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'

/** A kind of refused sign-in as the owner sees it. */
export interface RefusedSignIn {
  readonly code: RefusalCode
  readonly sent: string | null
  readonly count: number
  readonly lastAt: number
  readonly fix: string
}

export const refusalsTable = (refusals: readonly RefusedSignIn[], now: number): Html =>
  refusals.length === 0
    ? html`<p class="none">None in the last 24 hours.</p>`
    : scrollTable({
        caption: 'In the last 24 hours, newest first',
        label: 'Refused sign-ins',
        head: [heading('Why'), heading('What to do'), numberHeading('Times'), heading('Last')],
        rows: refusals.map(
          ({ code, sent, count, lastAt, fix }) => html`<tr>
            <td>${plainText(refusalMeaning(code))} ${sent !== null && html`<code>${displayText(sent)}</code>`}</td>
            <td>${displayText(plainText(fix))}</td>
            <td class="number">${formatNumber(count)}</td>
            <td>${timestamp(lastAt, now)}</td>
          </tr>`,
        ),
      })

/** The meanings are Markdown, for the documentation. */
const plainText = (markdown: string): string => markdown.replaceAll('`', '')
