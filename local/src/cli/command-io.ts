import path from 'node:path'
import { findProjectRoot } from '../credentials/find-project-root.ts'
import { type Project, readProject } from '../credentials/project.ts'
import { requireProjectRoot } from '../credentials/project-root.ts'
import { redactSecrets } from '../redact.ts'
import { readServiceUrl, serviceUrl } from '../service-url.ts'
import { type Colors, createColors, supportsColor } from './colors.ts'
import { createSpinner, type Spinner } from './spinner.ts'

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
