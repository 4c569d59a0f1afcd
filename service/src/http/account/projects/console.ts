import type { DescribedProject } from '../../../operations/tenants/status.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText } from '../../pages/text.ts'
import { hostList } from '../host-list.ts'
import { accountLayout, statusNotice } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import { projectMark } from './project-mark.ts'
import { deletionNotice, type Suspension, suspensionNotice } from './project-notices.ts'

/** What every tab of a project shows around its own content. */
export interface Frame {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly project: ConsoleProject
  /** The result of the last action. */
  readonly statusMessage?: string
}

/** With its state. */
export interface ConsoleProject extends DescribedProject {
  readonly suspension: Suspension | null
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
export const consolePage = ({ operator, now, csrf, project, statusMessage }: Frame, current: Tab, body: Html): Html =>
  accountLayout({
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
      ${suspensionNotice({ suspension: project.suspension, now, operator })}
      ${tabs(project.tenantId, current)}
      ${deletionNotice(project.rowsLeft)}
      ${statusNotice(statusMessage)}
      ${LOCKED.has(current) ? unlessSuspended(project, body) : body}
    `,
  })

/** The tabs whose forms a suspension refuses, all of them. */
const LOCKED: ReadonlySet<Tab> = new Set(['settings', 'danger'])

/** Forms that a suspension refuses: the values stay readable, and the buttons are disabled. */
export const unlessSuspended = ({ suspension }: Pick<ConsoleProject, 'suspension'>, forms: Html): Html =>
  suspension === null
    ? forms
    : html`<fieldset class="locked" disabled>
        <legend class="notice">Nothing can be changed while the project is suspended.</legend>
        ${forms}
      </fieldset>`

/** A project without a name is called by its host. */
const isOnlyHost = ({ name, callbackHosts }: ConsoleProject): boolean =>
  callbackHosts.length === 1 && callbackHosts[0] === name

const tabs = (tenantId: string, current: Tab): Html =>
  html`<nav class="tabs" aria-label="Project"><ul>${Object.entries(TABS).map(
    ([tab, { label, path }]) =>
      html`<li><a href="${path(tenantId)}"${tab === current && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`
