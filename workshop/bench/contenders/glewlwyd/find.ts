import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import {
  canUnpackDebian,
  commandOf,
  onPath,
  type Program,
  unpackedDebian,
} from '../../../../service/test/support/actors/debian-program.ts'

const FILE = 'usr/bin/glewlwyd'

/** Its program, and the folder that its package was unpacked into. */
export interface Glewlwyd extends Program {
  readonly root: string
}

let found: Promise<Glewlwyd | string> | undefined

/** Its version as `--version` prints it; none where it can't be installed. */
export async function glewlwydVersion(): Promise<Record<string, string>> {
  const program = await findGlewlwyd()
  if (typeof program === 'string') {
    return {}
  }
  const { command, env } = commandOf(program)
  const [file = '', ...args] = command
  const { stdout } = await promisify(execFile)(file, [...args, '--version'], { env })
  return { Glewlwyd: stdout.trim() }
}

/** Glewlwyd, installed or unpacked from Debian's package without root; otherwise why there is none. */
export function findGlewlwyd(): Promise<Glewlwyd | string> {
  found ??= search().catch((error: unknown) => `not measured: ${String(error).split('\n')[0]}`)
  return found
}

async function search(): Promise<Glewlwyd | string> {
  const installed = await onPath(['glewlwyd'])
  if (installed !== null) {
    return { path: installed, libraries: null, root: path.resolve(installed, '../../..') }
  }
  if (!(await canUnpackDebian())) {
    return 'not measured: Glewlwyd is not installed, and there is no apt to get it'
  }
  const program = await unpackedDebian('glewlwyd', FILE)
  return { ...program, root: program.path.slice(0, -FILE.length) }
}
