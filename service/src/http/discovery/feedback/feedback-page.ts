import { FEEDBACK_MAX_CHARACTERS, FEEDBACK_PER_HOUR } from '@gatehouse/contract'
import { buttonForm, hiddenFields } from '../../pages/button-form.ts'
import { commandBlock } from '../../pages/code.ts'
import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'

export const FEEDBACK_PATH = '/feedback'

export interface FeedbackForm {
  readonly csrf: string
  /** The ids of the owner's projects. */
  readonly projects: readonly string[]
  /** What was typed, if it could not be sent. */
  readonly text: string
  readonly project: string | null
  readonly problem: string | null
  readonly sent: boolean
}

export interface FeedbackPage {
  readonly operator: Operator
  readonly baseUrl: string
  /** null: the visitor is not signed in. */
  readonly form: FeedbackForm | null
}

/** The same as the endpoint, the tool and the command: a message of a project to the operator. */
export const feedbackPage = ({ operator, baseUrl, form }: FeedbackPage): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Feedback',
    head: html`<meta name="description" content="Tell the operator of this service what works and what doesn’t.">`,
    body: html`
      <h1>Feedback</h1>
      <p class="lead">Tell the operator of this service what works, what doesn’t, and what is unclear. Only the operator reads it.</p>
      ${form?.sent && html`<p class="notice" role="status">Sent. Thank you.</p>`}
      ${form === null ? signIn : form.projects.length === 0 ? noProject : messageForm(form)}
      <h2>From a terminal or an agent</h2>
      <p>In the folder of your project, signed in or not:</p>
      ${commandBlock('Command: send feedback', `npx ${baseUrl}/packages/local.tgz feedback 'The quick start worked the first time.'`)}
      <p>An agent sends it with the tool <code>give_feedback</code> of the <a href="/docs/mcp">MCP server</a>, and a program with <a href="/docs/api/feedback#leaveFeedback">the API</a>.</p>
    `,
  })

const signIn = html`<p>Feedback belongs to a project, so sign in with the account that owns it.</p>
${buttonForm({ action: '/account/sign-in', csrf: undefined, fields: { next: FEEDBACK_PATH }, label: 'Sign in with Google', variant: 'main' })}`

const noProject = html`<p class="notice">You own no project yet. Start with the <a href="/docs/quick-start">quick start</a>, or claim the one that your agent created.</p>`

const messageForm = ({ csrf, projects, text, project, problem }: FeedbackForm): Html => html`
<form class="stacked" method="post" action="${FEEDBACK_PATH}">
  ${hiddenFields({ csrf })}
  ${projects.length === 1 ? hiddenFields({ project: projects[0] }) : projectChoice(projects, project)}
  <label for="feedback">Your message</label>
  <textarea id="feedback" name="feedback" rows="8" required maxlength="${FEEDBACK_MAX_CHARACTERS}"${
    problem !== null && html` aria-invalid="true" aria-describedby="problem"`
  }>
${text}</textarea>
  ${problem !== null && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
  <p class="small-print">At most ${FEEDBACK_MAX_CHARACTERS.toLocaleString('en')} characters, and ${FEEDBACK_PER_HOUR} messages an hour. Don’t put keys or tokens in it.</p>
  <div class="actions"><button>Send</button></div>
</form>`

const projectChoice = (
  projects: readonly string[],
  chosen: string | null,
): Html => html`<label for="project">About the project</label>
<select id="project" name="project">${projects.map(
  (id) => html`<option${id === chosen && html` selected`}>${id}</option>`,
)}</select>`
