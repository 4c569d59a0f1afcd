import type { DescribedProject } from '../../../operations/tenants/project-name.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import type { Notice, RejectedForm } from '../form-state.ts'
import { hostList } from '../key-choice.ts'
import { accountLayout, statusNotice } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import { projectMark } from './project-card.ts'

/** What every tab of a project shows around its own content. */
export interface Frame {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly project: ConsoleProject
  /** The form that was not accepted. */
  readonly rejected?: RejectedForm | null
  /** The result of the last action. */
  readonly notice?: Notice | undefined
}

/** With its state. */
interface ConsoleProject extends DescribedProject {
  readonly suspension: { readonly at: number; readonly reason: string } | null
  /** Rows of a removed social login that are still being deleted. */
  readonly rowsLeft: number
}

const TABS = {
  overview: { label: 'Overview', path: accountPaths.project },
  users: { label: 'Users', path: accountPaths.users },
  sessions: { label: 'Sessions', path: accountPaths.sessions },
  settings: { label: 'Settings', path: accountPaths.settings },
  keys: { label: 'Keys', path: accountPaths.keys },
  danger: { label: 'Danger', path: accountPaths.danger },
} as const

export type Tab = keyof typeof TABS

/** The layout of a project's pages: its name and hosts, the tabs, the status message, the content of the tab. */
export function projectLayout(frame: Frame, current: Tab, body: Html): Html {
  const { operator, csrf, project, notice } = frame
  return accountLayout({
    operator,
    title: `${TABS[current].label} · ${displayText(project.name)}`,
    csrf,
    body: html`
      <div class="project-head">
        ${projectMark(project)}
        <div>
          <h1>${displayText(project.name)}</h1>
          ${project.name !== project.tenantId && html`<p class="tenant-id"><code class="tenant">${displayText(project.tenantId)}</code></p>`}
        </div>
      </div>
      ${!isOnlyHost(project) && hostList(project.callbackHosts, 'No callback hosts yet. Register your app’s callback URL in the settings.')}
      ${suspensionNotice(frame)}
      <nav class="tabs" aria-label="Project">${pageList(TABS, project.tenantId, current)}</nav>
      ${deletionNotice(project.rowsLeft)}
      ${statusNotice(notice?.form === undefined && notice?.section === undefined ? notice?.message : undefined)}
      ${LOCKED.has(current) ? unlessSuspended(project, body) : body}
    `,
  })
}

/** The tabs whose forms a suspension refuses, all of them. */
const LOCKED: ReadonlySet<Tab> = new Set(['settings', 'danger'])

/** Forms that a suspension refuses: the values stay readable, and the buttons are disabled. */
export const unlessSuspended = (
  { suspension }: Pick<ConsoleProject, 'suspension'>,
  forms: Html,
): Html =>
  suspension === null
    ? forms
    : html`<fieldset class="locked" disabled>
        <legend class="notice">Nothing can be changed while the project is suspended.</legend>
        ${forms}
      </fieldset>`

/** A project without a name is called by its host. */
const isOnlyHost = ({ name, callbackHosts }: ConsoleProject): boolean =>
  callbackHosts.length === 1 && callbackHosts[0] === name

type Pages = Readonly<
  Record<string, { readonly label: string; readonly path: (tenantId: string) => string }>
>

export const pageList = (pages: Pages, tenantId: string, current: string): Html =>
  html`<ul>${Object.entries(pages).map(
    ([name, { label, path }]) =>
      html`<li><a href="${path(tenantId)}"${name === current && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul>`

const REASON_SHOWN = 500

/** The operator's decision, why, and what the owner can do about it. */
const suspensionNotice = ({ project: { suspension }, now, operator }: Frame): Html | false =>
  suspension !== null &&
  html`<div class="notice caution" role="status">
    <h2>This project is suspended</h2>
    <p>The operator of this service suspended it ${timestamp(suspension.at, now)}.</p>
    <p><strong>Reason:</strong> ${displayText(suspension.reason, REASON_SHOWN)}</p>
    <p>Users can’t sign in, their sessions and your webhooks wait, and nothing can be changed. Nothing is lost: everything continues when the suspension is lifted.
      To answer, <a href="/feedback">send feedback</a>${operator.supportUrl !== null && html` or <a href="${operator.supportUrl}">contact support</a>`}.</p>
  </div>`

/** What is left of a removed social login. */
const deletionNotice = (rowsLeft: number): Html | false =>
  rowsLeft > 0 &&
  html`<p class="notice" role="status">The removed social login is being erased: ${rowsLeft.toLocaleString('en')} rows left. They can’t be read anymore.</p>`

interface Pager {
  /** What is paged, for screen readers. */
  readonly label: string
  /** null: this is the first page. */
  readonly first: string | null
  /** null: this is the last page. */
  readonly next: string | null
  /** Other words, for a list that is not in the order of time. */
  readonly words?: readonly [first: string, next: string]
}

/** Links below a list. Pages follow a cursor, so there is no count of pages. */
export const pager = ({ label, first, next, words = ['Newest', 'Older'] }: Pager): Html | false =>
  (first !== null || next !== null) &&
  html`<nav class="pager" aria-label="${label}">
    ${first !== null && html`<a class="button quiet small" href="${first}">${words[0]}</a>`}
    ${next !== null && html`<a class="button quiet small" href="${next}" rel="next">${words[1]}</a>`}
  </nav>`
