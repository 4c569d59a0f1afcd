/** A WebDriver BiDi connection (w3.org/TR/webdriver-bidi): JSON commands over a WebSocket. Events are ignored. */
export class Bidi {
  readonly #socket: WebSocket
  readonly #pending = new Map<
    number,
    { resolve(result: unknown): void; reject(error: Error): void }
  >()
  #commands = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    socket.addEventListener('close', () => {
      for (const { reject } of this.#pending.values()) {
        reject(new Error('The browser closed the connection.'))
      }
    })
  }

  static async connect(url: string): Promise<Bidi> {
    const socket = new WebSocket(url)
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error(`${url} can't be reached.`)))
    })
    return new Bidi(socket)
  }

  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result
  send(method: string, params: object): Promise<any> {
    const id = ++this.#commands
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number
      type: string
      result?: unknown
      error?: string
      message?: string
    }
    if (message.id === undefined) {
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.type === 'success') {
      pending?.resolve(message.result)
    } else {
      pending?.reject(new Error(`${message.error}: ${message.message}`))
    }
  }
}
