import { loginUrl } from '@gatehouse-auth/contract'
import { commandBlock } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { installSdk, localTools } from '../../pages/package-commands.ts'
import { displayText } from '../../pages/text.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { links } from './activity.ts'
import { FRAMEWORKS } from './frameworks.ts'

export interface FirstSteps {
  readonly baseUrl: string
  readonly tenantId: string
  /** null: no callback is registered yet. */
  readonly loginUrl: string | null
  /** A key of the project was used. */
  readonly keysUsed: boolean
  /** Chosen by its link. */
  readonly framework?: string | undefined
  /** The page has keys that it may show once: no link may replace it. */
  readonly besideKeys?: boolean
  /** A user has signed in. */
  readonly signedIn: boolean
}

/** From a new project to its first sign-in. The marks follow from what happened, so there is nothing to tick. */
export const firstSteps = (
  steps: FirstSteps,
): Html => html`<section class="card first-steps" id="first-steps" aria-label="First steps">
  <h2>First steps</h2>
  <ol>
    ${step(true, 'The project is yours', html`It doesn’t expire.`)}
    ${step(
      steps.keysUsed,
      'Put the keys into your app',
      html`Save <a href="${accountPaths.keys(steps.tenantId)}">the key file</a> as <code>.service</code> in the folder of your app.`,
    )}
    ${step(
      steps.framework !== undefined || steps.keysUsed,
      'Choose your framework',
      html`${frameworkChoice(steps)}
        <p>Or paste this to your coding agent:</p>
        ${commandBlock('Prompt for a coding agent', prompt(steps))}`,
      !steps.keysUsed,
    )}
    ${step(
      steps.loginUrl !== null,
      'Register the callback of your app',
      html`<a href="${accountPaths.callbacks(steps.tenantId)}">Callback URLs</a> are where users return to. The setup command above adds one for you.`,
    )}
    ${step(
      steps.signedIn,
      'Sign in for the first time',
      steps.loginUrl === null
        ? html`Register a callback first.`
        : html`<p class="actions"><a class="button fit" href="${loginUrl('', steps.tenantId)}" target="_blank" rel="noopener">Try this sign-in</a></p><p>You’ll land in your app. Then come back: this page shows who signed in.</p>`,
    )}
  </ol>
</section>`

const step = (done: boolean, title: string, body: Html, isShown = !done): Html =>
  html`<li class="step ${done ? 'done' : 'open'}"><h3>${title}${done && html` <span class="unseen">(done)</span>`}</h3>${isShown && html`<div>${body}</div>`}</li>`

/** The three commands of the chosen framework. */
const frameworkChoice = ({ baseUrl, tenantId, framework, besideKeys }: FirstSteps): Html => {
  const link = (name: string) =>
    `${withQuery(accountPaths.project(tenantId), { framework: name })}#first-steps`
  const choices = FRAMEWORKS.map(
    ({ name, label }) => [link(name), name === framework, label] as const,
  )
  const chosen = FRAMEWORKS.filter(({ name }) => name === framework)
  return html`${links('Framework', choices, besideKeys)}${chosen.map(
    ({ name, label, install, start }) => html`
    ${commandBlock(`${label}: set up sign-in`, `${localTools(baseUrl)} init --framework ${name}`)}
    ${install !== null && commandBlock(`${label}: install`, installSdk(install))}
    ${commandBlock(`${label}: start`, start)}`,
  )}`
}

const prompt = ({ baseUrl, tenantId }: FirstSteps): string =>
  `Add “Sign in with Google” to this app. Read ${baseUrl}/llms.txt and follow it. Use the project ${displayText(tenantId)}, whose keys are in .service: don't create another one.`
