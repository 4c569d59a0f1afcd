import { connect, type Socket } from 'node:net'
import { headerOf, type RawResponse, ResponseReader } from '../load/response-reader.ts'
import { encodeRequest, type HttpRequest } from '../load/workload.ts'

/** One connection with one request in flight. Opens again if the server closes it between two requests. */
export class KeptConnection {
  readonly #port: number
  #socket: Socket | undefined
  #reader = new ResponseReader()
  #response: PromiseWithResolvers<RawResponse> | undefined

  constructor(port: number) {
    this.#port = port
  }

  async #open(): Promise<void> {
    if (this.#socket !== undefined) {
      return
    }
    const opened = Promise.withResolvers<void>()
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => opened.resolve())
    socket.on('data', (chunk) => this.#receive(chunk as Buffer))
    socket.on('error', (error) => {
      opened.reject(error)
      this.#response?.reject(error)
    })
    socket.on('close', () => {
      this.#response?.reject(new Error('the connection was closed before the response'))
      if (this.#socket === socket) {
        this.#socket = undefined
      }
    })
    this.#socket = socket
    this.#reader = new ResponseReader()
    await opened.promise
  }

  async send(request: HttpRequest): Promise<RawResponse> {
    await this.#open()
    const response = Promise.withResolvers<RawResponse>()
    this.#response = response
    this.#socket?.write(encodeRequest(request, `localhost:${this.#port}`))
    try {
      return await response.promise
    } finally {
      this.#response = undefined
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #receive(chunk: Buffer): void {
    const response = this.#reader.read(chunk)
    if (response === null) {
      return
    }
    if (headerOf(response.head, 'connection') === 'close') {
      this.close()
    }
    this.#response?.resolve(response)
  }
}
