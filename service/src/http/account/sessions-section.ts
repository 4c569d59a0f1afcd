import { buttonForm } from '../pages/button-form.ts'
import { type Html, html } from '../pages/markup.ts'
import { relativeTime, timestampInText } from '../pages/time.ts'
import { accountPaths } from './paths.ts'

/** A browser that is signed in to the account. */
export interface AccountSession {
  /** Names the session in the form; it is no secret. */
  readonly id: string | number
  /** The session that this page is shown to. */
  readonly current: boolean
  /** null: unknown. */
  readonly device: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
}

export const accountSessions = (sessions: readonly AccountSession[], csrf: string, now: number): Html => html`
  <ul class="rows">${sessions.map((session, index) => row(session, `browser-${index + 1}`, csrf, now))}</ul>
  <p class="small-print">Signing out everywhere ends all of these sessions, including this one. The users of your projects stay signed in.</p>
  ${buttonForm({ action: accountPaths.signOutEverywhere, csrf, label: 'Sign out everywhere', variant: 'quiet' })}`

// The current session has no button: "Sign out" above does the same.
const row = (
  { id, current, device, createdAt, lastUsedAt }: AccountSession,
  elementId: string,
  csrf: string,
  now: number,
): Html =>
  html`<li class="row">
    <p id="${elementId}">${device ?? 'Unknown browser'} <span class="address">Last used ${relativeTime(lastUsedAt, now)}, signed in ${timestampInText(createdAt, now)}</span></p>
    ${
      current
        ? html`<span class="badge">This browser</span>`
        : buttonForm({
            action: accountPaths.endSession,
            csrf,
            fields: { session: id },
            label: 'End this session',
            variant: 'small',
            describedBy: elementId,
          })
    }
  </li>`
