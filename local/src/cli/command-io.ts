import path from 'node:path'
import { findProjectRoot, requireProjectRoot } from '../credentials/paths.ts'
import { type Project, readProject } from '../credentials/project.ts'
import { redactSecrets } from '../problem.ts'
import { readServiceUrl, serviceUrl } from '../service-url.ts'

/** The options of every command. */
export interface CommonOptions {
  readonly json: boolean
  readonly project: string | undefined
  readonly service: string | undefined
  readonly color: boolean
}

/** A command's input and output: its project folder and service, standard output and standard error. */
export class CommandIo {
  readonly json: boolean
  /** For standard output. */
  readonly colors: Colors
  readonly #options: CommonOptions
  readonly #env = process.env

  constructor(options: CommonOptions) {
    this.json = options.json
    this.#options = options
    this.colors = createColors(options.color && supportsColor(process.stdout, this.#env))
  }

  /** Writes the result to standard output: the object with --json, otherwise the lines. */
  printResult(object: unknown, lines: () => readonly string[]): void {
    const text = this.json ? JSON.stringify(object) : lines().join('\n')
    process.stdout.write(`${redactSecrets(text)}\n`)
  }

  /** Writes progress and hints to standard error, so that standard output contains only the result. */
  printNote(text: string): void {
    process.stderr.write(`${redactSecrets(text)}\n`)
  }

  spinner(text: string): Spinner {
    const isAnimated = process.stderr.isTTY === true && this.#env.TERM !== 'dumb'
    const { cyan } = createColors(this.#options.color && supportsColor(process.stderr, this.#env))
    return createSpinner(process.stderr, isAnimated, cyan, text)
  }

  /** The folder of --project, or the current one. */
  namedRoot(): Promise<string> {
    return requireProjectRoot(path.resolve(this.#options.project ?? '.'))
  }

  /** The folder of --project, or the nearest folder with a .service file, or the current one. */
  async root(): Promise<string> {
    const named = await this.namedRoot()
    return this.#options.project === undefined ? ((await findProjectRoot(named)) ?? named) : named
  }

  async project(): Promise<Project> {
    return readProject(await this.root())
  }

  get service(): { readonly service: string; readonly serviceIsExplicit: boolean } {
    const service = serviceUrl(this.#options.service, this.#env)
    const written = this.#options.service ?? this.#env.GATEHOUSE_URL?.trim() ?? ''
    return { service, serviceIsExplicit: readServiceUrl(written) !== null }
  }
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 80
const CLEAR = '\r\u001b[K'

interface Spinner {
  update(text: string): void
  stop(): void
}

interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** An animated line on a terminal; elsewhere each new text is printed once, on its own line. */
function createSpinner(
  stream: Stream,
  isAnimated: boolean,
  color: (text: string) => string,
  text: string,
): Spinner {
  let current = text
  if (!isAnimated) {
    const writeLine = (next: string): void => void stream.write(`${next}\n`)
    writeLine(current)
    return {
      update(next) {
        if (next !== current) {
          writeLine(next)
        }
        current = next
      },
      stop() {},
    }
  }
  let frame = 0
  const draw = (): void =>
    void stream.write(`${CLEAR}${color(FRAMES[frame++ % FRAMES.length] ?? '')} ${current}`)
  draw()
  const timer = setInterval(draw, FRAME_MS)
  return {
    update(next) {
      current = next
      draw()
    },
    stop() {
      clearInterval(timer)
      stream.write(CLEAR)
    },
  }
}

/** ANSI colors, or plain text. Color never carries information that the text does not. */
interface Colors {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
  cyan(text: string): string
}

const wrap =
  (isEnabled: boolean, open: number, close: number) =>
  (text: string): string =>
    isEnabled ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const createColors = (isEnabled: boolean): Colors => ({
  bold: wrap(isEnabled, 1, 22),
  dim: wrap(isEnabled, 2, 22),
  green: wrap(isEnabled, 32, 39),
  yellow: wrap(isEnabled, 33, 39),
  red: wrap(isEnabled, 31, 39),
  cyan: wrap(isEnabled, 36, 39),
})

/** True on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is dumb. */
export const supportsColor = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean => stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
