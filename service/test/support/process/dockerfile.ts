import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

export interface Instruction {
  readonly name: string
  readonly rest: string
}

/** One entry per instruction, with continued lines joined. */
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

/** The stages in order: the image that each starts from, its name, and its other instructions. */
export function stagesOf(instructions: readonly Instruction[]): Stage[] {
  const stages: { from: string; name: string; instructions: Instruction[] }[] = []
  for (const instruction of instructions) {
    const [from = '', name = ''] = instruction.rest.split(' AS ')
    if (instruction.name === 'FROM') {
      stages.push({ from, name, instructions: [] })
    } else {
      stages.at(-1)?.instructions.push(instruction)
    }
  }
  return stages
}

interface Stage {
  readonly from: string
  readonly name: string
  readonly instructions: readonly Instruction[]
}

/** `COPY a b/c to/` from the build context into a folder. Throws if a source is missing or ignored. */
export function copyInstruction(rest: string, context: Context, workdir: string): void {
  const words = rest.split(/\s+/)
  const to = words.pop() ?? ''
  for (const source of words) {
    const from = path.join(context.folder, source)
    if (!existsSync(from)) {
      throw new Error(`COPY ${source}: no such file`)
    }
    if (context.isIgnored(source)) {
      throw new Error(`COPY ${source}: excluded by .dockerignore`)
    }
    const isFolder = statSync(from).isDirectory()
    const target = path.join(
      workdir,
      to,
      !isFolder && to.endsWith('/') ? path.basename(source) : '',
    )
    mkdirSync(path.dirname(target), { recursive: true })
    const filter = (file: string): boolean =>
      !context.isIgnored(path.relative(context.folder, file))
    cpSync(from, target, { recursive: true, filter })
  }
}

/** Docker's build context: a folder without the files that its .dockerignore excludes. */
interface Context {
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
  if (pattern === '*') {
    return true
  }
  if (pattern.startsWith('**/*')) {
    return file.endsWith(pattern.slice('**/*'.length))
  }
  if (pattern.startsWith('**/')) {
    return `/${file}/`.includes(`/${pattern.slice('**/'.length)}/`)
  }
  return file === pattern || file.startsWith(`${pattern}/`)
}
