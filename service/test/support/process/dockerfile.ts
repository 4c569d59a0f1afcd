import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** One entry for each instruction, its continued lines in one. */
export const readDockerfile = (text: string): Instruction[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      return { name, rest }
    })

/** `COPY a b/c to/`, from the build context into a folder. Throws for what is not there or is kept out of the context. */
export function copyInstruction(rest: string, context: Context, workdir: string): void {
  const words = rest.split(/\s+/)
  const to = words.pop() ?? ''
  for (const source of words) {
    const from = path.join(context.folder, source)
    if (!existsSync(from)) throw new Error(`COPY ${source}: there is no such file`)
    if (context.isIgnored(source)) throw new Error(`COPY ${source}: .dockerignore keeps it out`)
    const isFolder = statSync(from).isDirectory()
    const target = path.join(workdir, to, !isFolder && to.endsWith('/') ? path.basename(source) : '')
    mkdirSync(path.dirname(target), { recursive: true })
    const filter = (file: string): boolean => !context.isIgnored(path.relative(context.folder, file))
    cpSync(from, target, { recursive: true, filter })
  }
}

/** What Docker would be sent: a folder without what its .dockerignore names. */
export interface Context {
  readonly folder: string
  isIgnored(file: string): boolean
}

export function buildContext(folder: string, dockerignore: string): Context {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return {
    folder,
    // The last pattern that matches decides.
    isIgnored: (file) =>
      patterns.reduce((ignored, pattern) => {
        const name = pattern.replace(/^!/, '')
        return matches(file, name) ? name === pattern : ignored
      }, false),
  }
}

function matches(file: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (pattern.startsWith('**/*')) return file.endsWith(pattern.slice('**/*'.length))
  return file === pattern || file.startsWith(`${pattern}/`)
}
