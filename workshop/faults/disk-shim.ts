import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const SOURCE = path.join(import.meta.dirname, 'disk-shim.c')
const COMPILERS = ['cc', 'gcc', 'clang']

/** Why the shim cannot be used on this machine; false if it can. */
export const noDiskShim: string | false = await whyNot()

async function whyNot(): Promise<string | false> {
  if (process.platform !== 'linux') {
    return 'the disk shim needs Linux (LD_PRELOAD)'
  }
  for (const compiler of COMPILERS) {
    const works = await promisify(execFile)(compiler, ['--version']).then(
      () => true,
      () => false,
    )
    if (works) {
      return false
    }
  }
  return `the disk shim needs a C compiler (${COMPILERS.join(', ')})`
}

let built: Promise<string> | undefined

/** The compiled shim, for LD_PRELOAD (disk-shim.c). */
export function diskShim(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  const target = path.join(await mkdtemp(path.join(tmpdir(), 'gatehouse-shim-')), 'disk-shim.so')
  const failures: unknown[] = []
  for (const compiler of COMPILERS) {
    try {
      await promisify(execFile)(compiler, [
        '-O2',
        '-shared',
        '-fPIC',
        '-o',
        target,
        SOURCE,
        '-ldl',
        '-lpthread',
      ])
      return target
    } catch (error) {
      failures.push(error)
    }
  }
  throw new AggregateError(failures, 'the disk shim could not be compiled')
}
