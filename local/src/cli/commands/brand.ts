import { readFile, stat } from 'node:fs/promises'
import { LOGO_MAX_BYTES } from '@gatehouse/contract'
import { type Brand, loadBrand, removeBrand, removeLogo, saveBrand, uploadLogo } from '../../api/brand.ts'
import type { Project } from '../../credentials/project.ts'
import { singleLine } from '../../redact.ts'
import { type Command, usageProblem } from '../command.ts'
import type { CommandIo } from '../command-io.ts'

const FIELDS = ['name', 'privacy_url', 'terms_url', 'accent'] as const

type Field = (typeof FIELDS)[number]

export const brand: Command = {
  name: 'brand',
  synopsis: '[<field>=<value>… | logo <file> | delete-logo | delete]',
  summary: 'show or change what the consent page shows of your app on a verified domain',
  details: [
    'Without arguments: one line per field, and where the brand is shown. An empty value clears a field:',
    '',
    'brand name="Example Notes" accent=blue             change these, and keep the others',
    'brand privacy_url=https://example.com/privacy      on a verified domain; likewise terms_url=',
    'brand logo logo.png                                a square PNG of 64 to 512 pixels, at most 64 KiB',
    'brand delete-logo                                  show the first letters of the name again',
    'brand delete                                       delete the brand and its logo',
  ],
  positionals: { min: 0, max: FIELDS.length },
  async run(io, [action, ...rest]) {
    if (action === 'delete' || action === 'delete-logo') {
      if (rest.length > 0) throw usageProblem(`${action} takes no argument.`, 'brand')
      const result = await (action === 'delete' ? removeBrand : removeLogo)(await io.project())
      io.printResult(result, () => [action === 'delete' ? 'Deleted the brand.' : 'Deleted the logo.'])
    } else if (action === 'logo') {
      const [path, ...more] = rest
      if (path === undefined || more.length > 0) throw usageProblem('Name the file: brand logo <file>.', 'brand')
      const project = await io.project()
      print(io, await uploadLogo(project, await readLogo(path)))
    } else if (action === undefined) {
      print(io, await loadBrand(await io.project()))
    } else {
      const changes = Object.fromEntries([action, ...rest].map(readChange))
      print(io, await change(await io.project(), changes))
    }
    return undefined
  },
}

function readChange(text: string): [Field, string | null] {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
  const field = FIELDS.find((each) => each === name)
  if (field !== undefined) return [field, value === '' ? null : value]
  throw usageProblem(`Write <field>=<value>, with one of ${FIELDS.join(', ')}.`, 'brand')
}

/** The service replaces the whole brand, so the fields that stay are sent, too. */
async function change(project: Project, changes: Partial<Record<Field, string | null>>): Promise<Brand> {
  const current = await loadBrand(project)
  const { name, ...others } = {
    name: current?.name ?? null,
    privacy_url: current?.privacy_url ?? null,
    terms_url: current?.terms_url ?? null,
    accent: current?.accent ?? null,
    ...changes,
  }
  if (name === null) throw usageProblem('A brand needs a name: brand name=<name>.', 'brand')
  // The service names the accents that it has.
  return saveBrand(project, { name, ...others } as Parameters<typeof saveBrand>[1])
}

async function readLogo(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size <= LOGO_MAX_BYTES) return await readFile(path)
  } catch {
    throw usageProblem(`${singleLine(path)} cannot be read.`, 'brand')
  }
  throw usageProblem(`The logo has more than ${LOGO_MAX_BYTES / 1_024} KiB.`, 'brand')
}

function print(io: CommandIo, brand: Brand | null): void {
  if (brand === null) {
    if (io.json) io.printResult(null, () => [])
    io.printNote('No brand.')
    return
  }
  const { logo, shown_on, ...fields } = brand
  io.printResult(brand, () => [
    ...Object.entries(fields).map(([name, value]) => singleLine(`${name}=${value ?? ''}`)),
    `logo: ${logo === null ? 'none' : `${logo.size} pixels`}`,
    `shown on: ${shown_on.length === 0 ? 'no host yet, because no domain of a callback URL is verified' : singleLine(shown_on.join(', '))}`,
  ])
}
