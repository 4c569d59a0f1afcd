import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends what it likes, as slowly as it likes, and sees what becomes of it. */
export class RawSocket {
  readonly #socket: Socket
  readonly #opened = performance.now()
  #heard = ''
  #listens = false
  #closedAt: number | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closedAt = performance.now()
    })
  }

  static async open(port: string | number): Promise<RawSocket> {
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    await once(socket, 'connect')
    return new RawSocket(socket)
  }

  /** From now on it reads; a connection of which nobody reads is one that a slow reader has. */
  listen(): this {
    if (this.#listens) return this
    this.#listens = true
    this.#socket.setEncoding('utf8').on('data', (text: string) => {
      this.#heard += text
    })
    return this
  }

  get heard(): string {
    return this.#heard
  }

  get statuses(): number[] {
    // Not at the start of a line: a body need not end with one.
    return [...this.#heard.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  }

  get isOpen(): boolean {
    return this.#closedAt === null
  }

  /** How long it lasted, in milliseconds. */
  get lasted(): number {
    return (this.#closedAt ?? performance.now()) - this.#opened
  }

  /** Waits for its turn when the other side does not read. */
  async send(text: string | Buffer): Promise<void> {
    if (!this.isOpen || this.#socket.destroyed || this.#socket.write(text)) return
    await Promise.race([new Promise((resolve) => this.#socket.once('drain', resolve)), this.closed()])
  }

  async closed(): Promise<void> {
    if (this.isOpen) await new Promise((resolve) => this.#socket.once('close', resolve))
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
