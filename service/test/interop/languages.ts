import { join } from 'node:path'
import { unpackedPackages } from '../support/actors/debian-program.ts'

/** How Debian's packages run the recipe of a framework in another language. */
export interface Language {
  readonly packages: readonly string[]
  /** A file that the unpacked packages contain. */
  readonly file: string
  /** The programs and libraries of these packages are below `root`. The app listens on `port` of localhost. */
  command(root: string, port: number, folder: string): Promise<Command>
  /** Its requests share no memory, so simultaneous refreshes are several calls with one key. */
  readonly sharesNothing?: true
}

interface Command {
  /** A compiler, which ends before the app starts. */
  readonly build?: readonly string[]
  readonly run: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Debian's libraries are for Debian's interpreter, whatever is first on the PATH. */
const PYTHON = '/usr/bin/python3'
const pythonEnv = (root: string): Record<string, string> => ({
  PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
  PYTHONUNBUFFERED: '1',
})

export const LANGUAGES: Readonly<Record<string, Language>> = {
  flask: {
    packages: ['python3-flask'],
    file: 'usr/lib/python3/dist-packages/flask/app.py',
    command: async (root, port) => ({
      run: [PYTHON, '-m', 'flask', 'run', '--port', String(port)],
      env: pythonEnv(root),
    }),
  },
}

/** The folder with the packages of a language; a sentence if they can't be had. */
export async function unpackedLanguage(name: string, { packages, file }: Language): Promise<{ root: string } | string> {
  try {
    return { root: await unpackedPackages(name, packages, file) }
  } catch (error) {
    return `${name}: Debian's packages ${packages.join(', ')} are out of reach: ${String(error)}`
  }
}
