import { monthEnd } from '../../domain/limits/counter.ts'
import type { Problem } from '../problem.ts'
import { countdownScript } from './assets.ts'
import { commandBlock, inlineCode } from './elements.ts'
import { dayFormat, relativeFormat } from './languages/formats.ts'
import { ENGLISH, type Language } from './languages/language.ts'
import { layout, script, webUrl } from './layout.ts'
import { type Html, html } from './markup.ts'
import type { Operator } from './operator.ts'
import { displayText } from './text.ts'

interface ErrorText {
  readonly title: string
  /** For the user: what happened and what to do. */
  readonly message: string
}

interface ErrorPage extends ErrorText {
  readonly operator: Operator
  /** Default: English. */
  readonly language?: Language
  readonly status: number
  readonly requestId: string
  /** Omitted when its `href` is not a URL that a link may contain. */
  readonly wayBack?: { readonly href: string; readonly label: string | Html }
  /** If the request is sent again, it may succeed. */
  readonly canRetry?: boolean
  /** Where "Try again" leads; empty: this page's own URL, which stays out of the page. */
  readonly retryAt?: string
  /** For the app's developer, in English, to send on: the code, what is wrong, the fix, when and where. It may quote the request. */
  readonly report: readonly string[]
  /** The error is one of a sign-in, which the app's owner can end. */
  readonly ofApp?: boolean
  /** When an exhausted limit allows it again. The page then has a script. */
  readonly waitSeconds?: number
}

/** An error that is shown here because it can't be returned to the app's callback. */
export function errorPage(page: ErrorPage): Html {
  const { status, title, message, requestId, wayBack, waitSeconds, operator } = page
  const { language = ENGLISH } = page
  const { errors } = language.messages
  const href = wayBack && webUrl(wayBack.href)
  // Every error leads on: back to the app, and else to another try.
  const canRetry = page.canRetry || !href
  return layout({
    kind: 'card',
    operator,
    language,
    title: displayText(title),
    head: waitSeconds === undefined ? html`` : script(countdownScript),
    body: html`
      <h1>${unbrokenWords(displayText(title))}</h1>
      <p>${inlineCode(displayText(message, 600))}</p>
      ${waitSeconds !== undefined && waitText(waitSeconds, language)}
      ${canRetry && html`<p class="actions"><a class="button" href="${page.retryAt ?? ''}">${errors.tryAgain}</a></p>`}
      ${href && html`<p class="actions"><a class="button${canRetry && ' quiet'}" href="${href}">${wayBack.label}</a></p>`}
      ${page.ofApp && !page.canRetry && !href && html`<p class="aside">${errors.tellOwner}</p>`}
      ${forDeveloper(page, errors.forDeveloper)}
      <p class="small-print">${errors.reference(status, html`<code>${displayText(requestId)}</code>`)}</p>
    `,
  })
}

/** No line ends within “sign-in”. */
const unbrokenWords = (title: string): Html =>
  html`${title.split(/(\S+-\S+)/).map((text, at) => (at % 2 === 1 ? html`<span class="unbroken">${text}</span>` : text))}`

/** A report to send on: one click selects it. */
const forDeveloper = ({ report }: ErrorPage, title: string): Html =>
  html`<details class="detail">
    <summary>${title}</summary>
    <div lang="en" dir="ltr">${commandBlock('Report', report.map((line) => displayText(line, 1_200)).join('\n'))}</div>
  </details>`

/** The words of an error page. Months are UTC months, as limits count them. */
export function errorText(
  problem: Pick<Problem, 'code' | 'message' | 'details' | 'tenantEndsAt'>,
  now: number,
  language: Language = ENGLISH,
): ErrorText {
  const { errors } = language.messages
  const { code } = problem
  const title = hasCode(errors.title, code) ? errors.title[code] : errors.title.internalError
  if (code === 'rateLimited' && problem.details?.window === 'month') {
    return {
      title: errors.title.tenantPaused,
      message: errors.monthLimit(dayIn(language, monthEnd(now))),
    }
  }
  if (code === 'tenantPaused' && problem.tenantEndsAt != null) {
    return { title, message: errors.trialLimit(dayIn(language, problem.tenantEndsAt)) }
  }
  if (hasCode(errors.message, code)) {
    return { title, message: errors.message[code] }
  }
  // What is wrong with one form, for example. It has no translation.
  return { title, message: language.tag === 'en' ? problem.message : errors.message.other }
}

const hasCode = <T extends object>(texts: T, code: PropertyKey): code is keyof T =>
  Object.hasOwn(texts, code)

const dayIn = (language: Language, at: number): string => dayFormat(language).format(at)

const MINUTE_SECONDS = 60

/** When a limit allows the request again. The script of the page counts the seconds down and shows `data-over` at the end. */
export function waitText(seconds: number, language: Language): Html {
  const { errors } = language.messages
  const format = relativeFormat(language)
  if (seconds > 2 * MINUTE_SECONDS) {
    return html`<p>${errors.tryAgainWhen(format.format(Math.ceil(seconds / MINUTE_SECONDS), 'minute'))}</p>`
  }
  const left = html`<span data-seconds="${seconds}">${format.format(seconds, 'second')}</span>`
  return html`<p data-over="${errors.waitOver}">${errors.tryAgainWhen(left)}</p>`
}
