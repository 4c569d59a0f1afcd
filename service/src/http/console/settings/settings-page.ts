import type { App, HttpDependencies } from '../../dependencies.ts'
import { formsScript } from '../../pages/assets.ts'
import { script } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { ConsoleForm } from '../console-form.ts'
import { consolePage, type PageCall } from '../console-page.ts'
import type { Notice } from '../form-state.ts'
import { statusNotice } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import { type Frame, pageList } from '../projects/project-page.ts'

/** The pages of the settings, in the order of the side list. */
const PAGES = {
  general: { label: 'General', path: accountPaths.settings },
  callbacks: { label: 'Callbacks', path: accountPaths.callbacks },
  access: { label: 'Who can sign in', path: accountPaths.access },
  pages: { label: 'Sign-in pages', path: accountPaths.signInPages },
  providers: { label: 'Providers', path: accountPaths.providers },
  tokens: { label: 'Tokens', path: accountPaths.tokens },
  webhooks: { label: 'Webhooks', path: accountPaths.webhooks },
} as const

export type SettingsPage = keyof typeof PAGES

/** A part of a page, with its own forms. */
interface SettingsSection<Data = unknown> {
  /** Its anchor. */
  readonly id: string
  readonly title: string
  readonly forms: readonly ConsoleForm[]
  /** null: it needs a callback URL first. */
  load(call: PageCall): Promise<Data | null>
  view(frame: Frame, data: Data): Html
  /** What the section says besides the notices of its forms. */
  notice?(call: PageCall): string | undefined
  /** Where its forms may redirect to, besides this site. */
  formActions?(data: Data): readonly string[]
  /** After forms of other pages, by the query parameter `done`. */
  readonly notices?: Readonly<Record<string, string>>
}

/** A section with the type of its data. */
export const settingsSection = <Data>(section: SettingsSection<Data>): SettingsSection<Data> =>
  section

/** Registers a page of the settings with the forms of its sections. */
export const settingsRoute = (
  name: SettingsPage,
  ...sections: readonly SettingsSection[]
): ((app: App, deps: HttpDependencies) => void) =>
  consolePage({
    path: PAGES[name].path,
    tab: 'settings',
    forms: sections.flatMap(({ id, forms }) => forms.map((form) => ({ ...form, section: id }))),
    notices: Object.fromEntries(
      sections.flatMap(({ id, notices = {} }) =>
        Object.entries(notices).map(([key, message]) => [key, { message, section: id }]),
      ),
    ),
    load: (call) => Promise.all(sections.map((section) => section.load(call))),
    notice: (_, call) =>
      sections.map((section) => noticeOf(section, call)).find((notice) => notice !== undefined),
    view: (frame, data) =>
      settingsPage(frame, name, ...sections.map((section, at) => [section, data[at]] as const)),
    formActions: (data) =>
      sections.flatMap((section, at) =>
        data[at] === null ? [] : (section.formActions?.(data[at]) ?? []),
      ),
  })

function noticeOf({ id, notice }: SettingsSection, call: PageCall): Notice | undefined {
  const message = notice?.(call)
  return message === undefined ? undefined : { message, section: id }
}

/** `/account/projects/:tenantId/settings` and below. */
export const settingsPage = (
  frame: Frame,
  name: SettingsPage,
  ...sections: readonly (readonly [SettingsSection, unknown])[]
): Html =>
  settingsLayout(
    frame,
    name,
    html`${sections.map(([section, data]) => card(frame, section, data))}`,
  )

const card = (frame: Frame, { id, title, view }: SettingsSection, data: unknown): Html =>
  html`<section class="card setting" id="${id}">
    <h2>${title}</h2>
    ${statusNotice(frame.notice?.section === id && frame.notice.form === undefined ? frame.notice.message : undefined)}
    ${data === null ? html`<p class="none">Available after you <a href="${accountPaths.callbacks(frame.project.tenantId)}">register a callback URL</a>.</p>` : view(frame, data)}
  </section>`

/** The tab "Settings": the list of its pages beside one of them. */
export const settingsLayout = (frame: Frame, current: SettingsPage, body: Html): Html =>
  html`<div class="beside">
      <nav class="side" aria-label="Settings">${pageList(PAGES, frame.project.tenantId, current)}</nav>
      <div>${body}</div>
    </div>
    ${script(formsScript)}`
