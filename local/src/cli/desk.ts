import path from 'node:path'
import { findProjectRoot } from '../credentials/find.ts'
import { requireProjectRoot } from '../credentials/project-root.ts'
import { type Project, readProject } from '../credentials/read.ts'
import { withoutSecrets } from '../safe-text.ts'
import { readServiceUrl, serviceUrl } from '../service-url.ts'
import { type Paint, paint, wantsColour } from './paint.ts'
import { type Spinner, spinner } from './spinner.ts'

/** What every verb understands. */
export interface CommonOptions {
  readonly json: boolean
  readonly project: string | undefined
  readonly service: string | undefined
  readonly colour: boolean
}

/** Where a verb does its work: what it may know of its surroundings, and how it speaks. */
export class CommandIo {
  readonly json: boolean
  /** For stdout, which holds the answer. */
  readonly paint: Paint
  readonly #options: CommonOptions
  readonly #env = process.env

  constructor(options: CommonOptions) {
    this.json = options.json
    this.#options = options
    this.paint = paint(options.colour && wantsColour(process.stdout, this.#env))
  }

  /** The answer: an object for programs, or lines for people. */
  response(object: unknown, lines: () => readonly string[]): void {
    const text = this.json ? JSON.stringify(object) : lines().join('\n')
    process.stdout.write(`${withoutSecrets(text)}\n`)
  }

  /** What goes on meanwhile: for people, and never in the way of the answer. */
  note(text: string): void {
    process.stderr.write(`${withoutSecrets(text)}\n`)
  }

  spinner(text: string): Spinner {
    const isAnimated = process.stderr.isTTY === true && this.#env.TERM !== 'dumb'
    const { cyan } = paint(this.#options.colour && wantsColour(process.stderr, this.#env))
    return spinner(process.stderr, isAnimated, cyan, text)
  }

  /** The folder that was named, or else the one we are in. */
  namedRoot(): Promise<string> {
    return requireProjectRoot(path.resolve(this.#options.project ?? '.'))
  }

  /** The folder that was named, or else the nearest one with a .service file; where we are, when there is none. */
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
