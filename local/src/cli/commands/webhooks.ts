import { WEBHOOK_TYPES, type WebhookType } from '@gatehouse-auth/contract'
import {
  addWebhook,
  changeWebhook,
  type Delivery,
  findDeliveries,
  findWebhooks,
  loadWebhook,
  removeWebhook,
  replaceWebhookSecret,
  resend,
  tryWebhook,
  type Webhook,
} from '../../api/management.ts'
import { saveWebhookSecret } from '../../credentials/app-secret.ts'
import type { Project } from '../../credentials/project.ts'
import { singleLine } from '../../problem.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { EXIT_CODES } from '../exit-codes.ts'

type Run = (
  io: CommandIo,
  project: Project,
  argument: string,
  more: readonly string[],
) => Promise<number | undefined>

const printWebhook = (io: CommandIo, webhook: Webhook): void =>
  io.printResult(webhook, () => [line(io, webhook)])

const ACTIONS: Readonly<Record<string, Run>> = {
  async add(io, project, url) {
    const { webhook, secret } = await addWebhook(project, url)
    const secret_file = await saveWebhookSecret(project, webhook.id, secret)
    io.printResult({ ...webhook, secret_file }, () => [
      line(io, webhook),
      `Secret: in ${secret_file}`,
    ])
    return undefined
  },
  async show(io, project, id) {
    const webhook = await loadWebhook(project, id)
    io.printResult(webhook, () => [line(io, webhook), `  ${webhook.events.join(' ')}`])
    return undefined
  },
  async events(io, project, id, types) {
    if (types.length === 0) {
      throw usageProblem(`Name types of: ${WEBHOOK_TYPES.join(', ')}.`, 'webhooks')
    }
    printWebhook(io, await changeWebhook(project, id, { events: types as WebhookType[] }))
    return undefined
  },
  async url(io, project, id, [url]) {
    if (url === undefined) {
      throw usageProblem('Name the new URL: webhooks url <id> <url>.', 'webhooks')
    }
    printWebhook(io, await changeWebhook(project, id, { url }))
    return undefined
  },
  async deliveries(io, project, id) {
    const found = await findDeliveries(project, id)
    for (const delivery of found) {
      io.printResult(delivery, () => [deliveryLine(io, delivery)])
    }
    if (found.length === 0) {
      io.printNote('No deliveries in the last 7 days.')
    }
    return undefined
  },
  async replay(io, project, id, [after = '', until]) {
    const [first, last] = [after, until ?? '0'].map((text) =>
      /^\d{1,15}$/.test(text) ? Number(text) : undefined,
    )
    if (first === undefined || last === undefined) {
      throw usageProblem(
        'Name the id of the event before the first: webhooks replay <id> <after> [<until>].',
        'webhooks',
      )
    }
    printWebhook(
      io,
      await resend(project, id, { after: first, ...(until === undefined ? {} : { until: last }) }),
    )
    return undefined
  },
  async test(io, project, id) {
    const result = await tryWebhook(project, id)
    io.printResult(result, () => [
      `${result.delivered ? 'Delivered' : 'Not delivered'}: ${result.status ?? result.error}, ${result.ms} ms`,
    ])
    return result.delivered ? undefined : EXIT_CODES.failed
  },
  async enable(io, project, id) {
    printWebhook(io, await changeWebhook(project, id, { status: 'active' }))
    return undefined
  },
  async disable(io, project, id) {
    printWebhook(io, await changeWebhook(project, id, { status: 'disabled' }))
    return undefined
  },
  async rotate(io, project, id) {
    const { secret, previous_until } = await replaceWebhookSecret(project, id)
    const secret_file = await saveWebhookSecret(project, id, secret)
    io.printResult({ secret_file, previous_until }, () => [
      `New secret: in ${secret_file}. The old one signs, too, until ${previous_until}.`,
    ])
    return undefined
  },
  async delete(io, project, id) {
    const result = await removeWebhook(project, id)
    io.printResult(result, () => [`Deleted ${singleLine(id)}.`])
    return undefined
  },
}

const TAKES_MORE: Readonly<Record<string, number>> = {
  events: WEBHOOK_TYPES.length,
  url: 1,
  replay: 2,
}

export const webhooks: Command = {
  name: 'webhooks',
  synopsis:
    '[add <url> | show|test|enable|disable|rotate|deliveries|delete <id> | url <id> <url> | events <id> <type>… | replay <id> <after> [<until>]]',
  summary:
    'list the endpoints that get events; add, change, test or delete one, see deliveries, send events again',
  details: [
    'One line per endpoint. With --json: one API webhook object per line.',
    '',
    'add <url>          add an endpoint; its secret is written to .service.<id> (mode 0600), never printed',
    'show <id>          show it with the types that it gets',
    'events <id> <type>…  replace these types, such as social_login.authorize user.deleted',
    'url <id> <url>     send to another address; secret, types and what waits stay',
    'deliveries <id>    list the newest attempts: when, what, and the status of the response',
    'replay <id> <after> [<until>]\n                   send the events of the history after this id again',
    'test <id>          send a test now; exits with 1 if it is not delivered',
    'enable <id>        enable it again: it gets what it missed, at once',
    'disable <id>       stop sending; nothing is missed',
    'rotate <id>        replace the secret; the old one signs, too, for 24 hours',
    'delete <id>        delete the endpoint and its delivery log',
  ],
  positionals: { min: 0, max: 2 + WEBHOOK_TYPES.length },
  async run(io, [action, argument, ...more]) {
    if (action === undefined) {
      return list(io)
    }
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (run === undefined) {
      throw usageProblem(
        `Unknown action. Use one of ${Object.keys(ACTIONS).join(', ')}.`,
        'webhooks',
      )
    }
    const what = action === 'add' ? 'url' : 'id'
    if (argument === undefined) {
      throw usageProblem(`Name the ${what}: webhooks ${action} <${what}>.`, 'webhooks')
    }
    if (more.length > (TAKES_MORE[action] ?? 0)) {
      throw usageProblem(`Too many arguments for ${action}.`, 'webhooks')
    }
    return run(io, await io.project(), argument, more)
  },
}

async function list(io: CommandIo): Promise<undefined> {
  const found = await findWebhooks(await io.project())
  for (const webhook of found) {
    printWebhook(io, webhook)
  }
  if (found.length === 0) {
    io.printNote('No webhooks.')
  }
  return undefined
}

const line = (io: CommandIo, webhook: Webhook): string =>
  `${webhook.id}  ${singleLine(webhook.url)}  ${stateOf(io, webhook)}`

function stateOf(
  { colors }: CommandIo,
  { status, disabled_reason, failing_since, waiting_retries }: Webhook,
): string {
  if (status === 'disabled') {
    return colors.red(`disabled (${disabled_reason})`)
  }
  if (failing_since === null) {
    return colors.green('active')
  }
  return colors.yellow(`failing since ${failing_since}, ${waiting_retries} waiting`)
}

function deliveryLine(
  { colors }: CommandIo,
  { at_ms, type, event_id, attempt, delivered, status, error }: Delivery,
): string {
  const at = new Date(at_ms).toISOString().slice(0, 19)
  const result = delivered ? colors.green(String(status)) : colors.red(String(status ?? error))
  return `${colors.dim(`${at}Z`)}  ${type}${event_id === null ? '' : ` #${event_id}`}  attempt ${attempt}  ${result}`
}
