import { connect, type Socket } from 'node:net'
import { headerOf, ResponseReader, RoundRecorder, type RoundResult } from './response-reader.ts'
import type { Journey, Workload } from './workload.ts'

export interface RoundOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
}

/** Sends requests on all connections as fast as responses arrive. The first wrong response ends the round. */
export async function round(
  workload: Workload | Journey,
  options: RoundOptions,
): Promise<RoundResult> {
  const { port, connections, seconds } = options
  const recorder = new RoundRecorder(seconds)
  const { isRunning, recordLatency } = recorder
  await Promise.all(
    Array.from({ length: connections }, async (_, number) => {
      const problem =
        'journey' in workload
          ? await repeatJourney(workload, number, recorder)
          : await new Connection({ workload, number, port, isRunning, recordLatency }).run()
      recorder.recordProblem(problem)
    }),
  )
  return recorder.result()
}

async function repeatJourney(
  { journey }: Journey,
  connection: number,
  { isRunning, recordLatency }: RoundRecorder,
): Promise<string | null> {
  while (isRunning()) {
    const began = performance.now()
    const problem = await journey(connection).catch(String)
    if (problem !== null) {
      return problem
    }
    recordLatency(performance.now() - began)
  }
  return null
}

interface ConnectionOptions {
  readonly workload: Workload
  readonly number: number
  readonly port: number
  /** Whether to send another request. */
  isRunning(): boolean
  recordLatency(ms: number): void
}

/** One connection that sends a request as soon as the previous response is complete. ResponseReader says why it is raw. */
class Connection {
  readonly #options: ConnectionOptions
  readonly #done = Promise.withResolvers<string | null>()
  #socket: Socket | undefined
  #reader = new ResponseReader()
  #sentAt = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Runs until there is no further request. Resolves to null or to the first problem. */
  run(): Promise<string | null> {
    this.#open()
    return this.#done.promise
  }

  #open(): void {
    this.#reader = new ResponseReader()
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => this.#send())
    socket.on('data', (chunk) => this.#receive(chunk as Buffer))
    socket.on('error', (error) => this.#finish(`the connection broke: ${error.message}`))
    socket.on('close', () => this.#finish('the connection was closed before the response'))
    this.#socket = socket
  }

  #send(): void {
    const { workload, number, isRunning } = this.#options
    const request = isRunning() ? workload.next(number) : null
    if (request === null) {
      this.#finish(null)
      return
    }
    this.#sentAt = performance.now()
    this.#socket?.write(request)
  }

  #receive(chunk: Buffer): void {
    const { workload, number, recordLatency } = this.#options
    try {
      const response = this.#reader.read(chunk)
      if (response === null) {
        return
      }
      recordLatency(performance.now() - this.#sentAt)
      const problem = workload.problem(number, response)
      if (problem !== null) {
        this.#finish(problem)
      } else if (headerOf(response.head, 'connection') === 'close') {
        this.#reopen()
      } else {
        this.#send()
      }
    } catch (error) {
      this.#finish(error instanceof Error ? error.message : String(error))
    }
  }

  #reopen(): void {
    this.#close()
    this.#open()
  }

  #finish(problem: string | null): void {
    this.#close()
    this.#done.resolve(problem)
  }

  #close(): void {
    this.#socket?.removeAllListeners('close').destroy()
  }
}
