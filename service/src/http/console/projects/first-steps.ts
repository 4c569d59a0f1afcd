import { issuerOf, loginUrl } from '@gatehouse-auth/contract'
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
export function firstSteps(steps: FirstSteps): Html {
  const { tenantId, keysUsed, signedIn } = steps
  const hasCallback = steps.loginUrl !== null
  const claim = step({
    title: 'The project is yours',
    isDone: true,
    body: html`It doesn’t expire.`,
  })
  const keys = step({
    title: 'Put the keys into your app',
    isDone: keysUsed,
    body: html`Save <a href="${accountPaths.keys(tenantId)}">the key file</a> as <code>.service</code> in the folder of your app.`,
  })
  const framework = step({
    title: 'Choose your framework',
    isDone: steps.framework !== undefined || keysUsed,
    // It stays after the choice, because it has the commands.
    isShown: !keysUsed,
    body: html`${frameworkChoice(steps)}
        <p>Or paste this to your coding agent:</p>
        ${commandBlock('Prompt for a coding agent', prompt(steps))}
        ${openIdValues(steps)}`,
  })
  const callback = step({
    title: 'Register the callback of your app',
    isDone: hasCallback,
    body: html`<a href="${accountPaths.callbacks(tenantId)}">Callback URLs</a> are where users return to. The setup command above adds one for you.`,
  })
  const signIn = step({
    title: 'Sign in for the first time',
    isDone: signedIn,
    body: hasCallback ? tryLink(tenantId) : html`Register a callback first.`,
  })

  return html`<section class="card first-steps" id="first-steps" aria-label="First steps">
  <h2>First steps</h2>
  <ol>
    ${claim}
    ${keys}
    ${framework}
    ${callback}
    ${signIn}
  </ol>
</section>`
}

const tryLink = (tenantId: string): Html =>
  html`<p class="actions"><a class="button fit" href="${loginUrl('', tenantId)}" target="_blank" rel="noopener">Try this sign-in</a></p><p>You’ll land in your app. Then come back: this page shows who signed in.</p>`

interface Step {
  readonly title: string
  readonly isDone: boolean
  readonly body: Html
  /** Default: until it is done. */
  readonly isShown?: boolean
}

function step({ title, isDone, body, isShown = !isDone }: Step): Html {
  const mark = isDone && html` <span class="unseen">(done)</span>`
  return html`<li class="step ${isDone ? 'done' : 'open'}"><h3>${title}${mark}</h3>${isShown && html`<div>${body}</div>`}</li>`
}

/** The choice, and the three commands of the chosen framework. */
function frameworkChoice({ baseUrl, tenantId, framework, besideKeys }: FirstSteps): Html {
  const link = (name: string): string =>
    `${withQuery(accountPaths.project(tenantId), { framework: name })}#first-steps`
  const choices = FRAMEWORKS.map(
    ({ name, label }) => [link(name), name === framework, label] as const,
  )
  const choice = links('Framework', choices, besideKeys)
  const chosen = FRAMEWORKS.find(({ name }) => name === framework)
  return chosen === undefined ? choice : html`${choice}${commandsOf(chosen, baseUrl)}`
}

const commandsOf = (
  { name, label, install, start }: (typeof FRAMEWORKS)[number],
  baseUrl: string,
): Html => html`
    ${commandBlock(`${label}: set up sign-in`, `${localTools(baseUrl)} init --framework ${name}`)}
    ${install !== null && commandBlock(`${label}: install`, installSdk(install))}
    ${commandBlock(`${label}: start`, start)}`

/** What the OpenID library of an app asks for. The secret is in the key file only. */
const openIdValues = ({ baseUrl, tenantId, besideKeys }: FirstSteps): Html => {
  const newTab = besideKeys === true && html` target="_blank"`
  return html`<details class="openid">
          <summary>Use any OpenID library</summary>
          <p>Issuer:</p>
          ${commandBlock('Issuer', issuerOf(baseUrl, displayText(tenantId)))}
          <p>Client id:</p>
          ${commandBlock('Client id', displayText(tenantId))}
          <p>Client secret: the line <code>coh_application_key</code> of <code>.service</code>. Pages and apps on a device have no secret and use PKCE.</p>
          <p><a href="/docs/openid"${newTab}>All libraries, with their lines</a></p>
        </details>`
}

const prompt = ({ baseUrl, tenantId }: FirstSteps): string =>
  `Add “Sign in with Google” to this app. Read ${baseUrl}/llms.txt and follow it. Use the project ${displayText(tenantId)}, whose keys are in .service: don't create another one.`
