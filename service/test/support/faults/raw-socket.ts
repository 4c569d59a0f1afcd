import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A TCP connection that sends arbitrary bytes at any speed and observes when the server closes it. */
export class RawSocket {
  readonly #socket: Socket
  readonly #opened = performance.now()
  #received = ''
  #reads = false
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

  /** Starts reading. Without this call the socket acts as a slow reader. */
  read(): this {
    if (this.#reads) {
      return this
    }
    this.#reads = true
    this.#socket.setEncoding('utf8').on('data', (text: string) => {
      this.#received += text
    })
    return this
  }

  get received(): string {
    return this.#received
  }

  get statuses(): number[] {
    // A status line need not start a line of the text: the body before it may lack a final newline.
    return [...this.#received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
  }

  get isOpen(): boolean {
    return this.#closedAt === null
  }

  get openForMs(): number {
    return (this.#closedAt ?? performance.now()) - this.#opened
  }

  /** Waits for 'drain' when the server does not read. */
  async send(text: string | Buffer): Promise<void> {
    if (!this.isOpen || this.#socket.destroyed || this.#socket.write(text)) {
      return
    }
    await Promise.race([
      new Promise((resolve) => this.#socket.once('drain', resolve)),
      this.closed(),
    ])
  }

  async closed(): Promise<void> {
    if (this.isOpen) {
      await new Promise((resolve) => this.#socket.once('close', resolve))
    }
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
