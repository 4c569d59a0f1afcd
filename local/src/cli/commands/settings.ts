import { loadSettings, type Settings, saveSettings } from '../../api/management.ts'
import { parseJson } from '../../json.ts'
import { singleLine } from '../../problem.ts'
import { type Command, usageProblem } from '../command.ts'

export const settings: Command = {
  name: 'settings',
  synopsis: '[<name>=<value>…]',
  summary: 'show the settings of social login, or change some: who may sign in, and how',
  details: [
    'Without arguments: one line per setting. A list is separated by commas, and empty clears it:',
    '',
    'settings allowed_domains=example.com,example.org   Google Workspaces that may sign in',
    'settings allowed_emails=ada@example.com            addresses that may sign in besides them',
    'settings allowed_domains= allowed_emails=          every Google account again',
    'settings admission=invited                         only users, the two lists and invited people',
    'settings callback_mode=code                        every login ends with a one-time code',
    'settings remember_consent=true                     users press Continue once in 30 days',
    'settings first_user_claims={"role":"admin"}          claims of the first user; empty: none',
    'settings id_tokens={"audiences":["convex"]}          who may accept ID tokens; empty: none are issued',
  ],
  positionals: { min: 0, max: 20 },
  async run(io, changes) {
    const project = await io.project()
    const current = await loadSettings(project)
    const body = Object.fromEntries(changes.map((change) => readChange(change, current)))
    const result = changes.length === 0 ? current : await saveSettings(project, body)
    io.printResult(result, () =>
      Object.entries(result).map(([name, value]) => singleLine(`${name}=${textOf(value)}`)),
    )
    return undefined
  },
}

/** An object is written as JSON, and null as nothing. */
function textOf(value: unknown): string {
  if (value === null) {
    return ''
  }
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return isObject ? JSON.stringify(value) : String(value)
}

/** By the type of the current value, so that a setting of a newer service can be changed too. */
function readChange(text: string, current: Settings): [name: string, value: unknown] {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const known = Object.entries(current).find(([each]) => each === name)
  if (known === undefined) {
    throw usageProblem(
      `Write <name>=<value>, with one of ${Object.keys(current).join(', ')}.`,
      'settings',
    )
  }
  if (Array.isArray(known[1])) {
    return [
      name,
      value
        .split(',')
        .filter((each) => each.trim() !== '')
        .map((each) => each.trim()),
    ]
  }
  if (typeof known[1] === 'string') {
    return [name, value]
  }
  if (typeof known[1] === 'object') {
    const object = value === '' ? null : parseJson(value)
    if (object === undefined) {
      throw usageProblem(`${name} is a JSON object, or empty.`, 'settings')
    }
    return [name, object]
  }
  if (typeof known[1] === 'boolean') {
    if (value !== 'true' && value !== 'false') {
      throw usageProblem(`${name} is true or false.`, 'settings')
    }
    return [name, value === 'true']
  }
  if (!/^\d{1,9}$/.test(value)) {
    throw usageProblem(`${name} is an integer.`, 'settings')
  }
  return [name, Number(value)]
}
