import { connect, type Socket } from 'node:net'
import { headerOf, ResponseReader } from './answer-reader.ts'
import type { Work } from './work.ts'

export interface LaneOptions {
  readonly work: Work
  readonly number: number
  readonly port: number
  /** May it ask once more? */
  goesOn(): boolean
  answered(ms: number): void
}

/** One connection that asks as soon as it was answered. Raw bytes on a socket: see AnswerReader for why. */
export class Lane {
  readonly #options: LaneOptions
  readonly #done = Promise.withResolvers<string | null>()
  #socket: Socket | undefined
  #reader = new ResponseReader()
  #askedAt = 0

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Until there is nothing more to ask. null, or what was wrong. */
  run(): Promise<string | null> {
    this.#open()
    return this.#done.promise
  }

  #open(): void {
    this.#reader = new ResponseReader()
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => this.#ask())
    socket.on('data', (chunk) => this.#receive(chunk as Buffer))
    socket.on('error', (error) => this.#finish(`the connection broke: ${error.message}`))
    socket.on('close', () => this.#finish('the connection was closed while an answer was due'))
    this.#socket = socket
  }

  #ask(): void {
    const { work, number, goesOn } = this.#options
    const request = goesOn() ? work.next(number) : null
    if (request === null) {
      this.#finish(null)
      return
    }
    this.#askedAt = performance.now()
    this.#socket?.write(request)
  }

  #receive(chunk: Buffer): void {
    const { work, number, answered } = this.#options
    try {
      const response = this.#reader.read(chunk)
      if (response === null) return
      answered(performance.now() - this.#askedAt)
      const problem = work.problem(number, response)
      if (problem !== null) this.#finish(problem)
      else if (headerOf(response.head, 'connection') === 'close') this.#reopen()
      else this.#ask()
    } catch (error) {
      this.#finish(error instanceof Error ? error.message : String(error))
    }
  }

  #reopen(): void {
    this.#leave()
    this.#open()
  }

  #finish(problem: string | null): void {
    this.#leave()
    this.#done.resolve(problem)
  }

  #leave(): void {
    this.#socket?.removeAllListeners('close').destroy()
  }
}
