import {
  addWebhook,
  findWebhooks,
  removeWebhook,
  replaceWebhookSecret,
  setWebhookStatus,
  tryWebhook,
  type Webhook,
} from '../../api/management.ts'
import { saveWebhookSecret } from '../../credentials/app-secret.ts'
import type { Project } from '../../credentials/project.ts'
import { singleLine } from '../../problem.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'
import { EXIT_CODES } from '../exit-codes.ts'

type Run = (io: CommandIo, project: Project, argument: string) => Promise<number | undefined>

const printWebhook = (io: CommandIo, webhook: Webhook): void => io.printResult(webhook, () => [line(io, webhook)])

const ACTIONS: Readonly<Record<string, Run>> = {
  async add(io, project, url) {
    const { webhook, secret } = await addWebhook(project, url)
    const secret_file = await saveWebhookSecret(project, webhook.id, secret)
    io.printResult({ ...webhook, secret_file }, () => [line(io, webhook), `Secret: in ${secret_file}`])
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
    printWebhook(io, await setWebhookStatus(project, id, 'active'))
    return undefined
  },
  async disable(io, project, id) {
    printWebhook(io, await setWebhookStatus(project, id, 'disabled'))
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

export const webhooks: Command = {
  name: 'webhooks',
  synopsis: '[add <url> | test|enable|disable|rotate|delete <id>]',
  summary: 'list the endpoints that get events; add, test, enable, disable or delete one',
  details: [
    'One line per endpoint. With --json: one API webhook object per line.',
    '',
    'add <url>          add an endpoint; its secret is written to .service.<id> (mode 0600), never printed',
    'test <id>          send a test now; exits with 1 if it is not delivered',
    'enable <id>        enable it again: it gets what it missed, at once',
    'disable <id>       stop sending; nothing is missed',
    'rotate <id>        replace the secret; the old one signs, too, for 24 hours',
    'delete <id>        delete the endpoint and its delivery log',
  ],
  positionals: { min: 0, max: 2 },
  async run(io, [action, argument]) {
    if (action === undefined) return list(io)
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (run === undefined)
      throw usageProblem(`Unknown action. Use one of ${Object.keys(ACTIONS).join(', ')}.`, 'webhooks')
    const what = action === 'add' ? 'url' : 'id'
    if (argument === undefined) throw usageProblem(`Name the ${what}: webhooks ${action} <${what}>.`, 'webhooks')
    return run(io, await io.project(), argument)
  },
}

async function list(io: CommandIo): Promise<undefined> {
  const found = await findWebhooks(await io.project())
  for (const webhook of found) printWebhook(io, webhook)
  if (found.length === 0) io.printNote('No webhooks.')
  return undefined
}

function line(
  { colors }: CommandIo,
  { id, url, status, disabled_reason, failing_since, waiting_retries }: Webhook,
): string {
  const state =
    status === 'disabled'
      ? colors.red(`disabled (${disabled_reason})`)
      : failing_since === null
        ? colors.green('active')
        : colors.yellow(`failing since ${failing_since}, ${waiting_retries} waiting`)
  return `${id}  ${singleLine(url)}  ${state}`
}
