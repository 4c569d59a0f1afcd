type Read = Pick<Response, 'status' | 'ok' | 'headers' | 'body' | 'bodyUsed' | 'text' | 'json'>

/**
 * A response whose body was read completely, for OpenID clients: creating and reading the web stream of a Response costs
 * more CPU than the request itself. It has what such a client uses.
 */
export class ReadResponse implements Read {
  readonly content: Buffer
  readonly status: number
  readonly headers: Headers
  readonly body = null
  readonly bodyUsed = false

  constructor(content: Buffer, { status, headers }: Pick<Response, 'status' | 'headers'>) {
    if (status < 200 || status > 599) {
      throw new RangeError(`a response cannot have the status ${status}`)
    }
    this.content = content
    this.status = status
    this.headers = headers
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** By this the client recognizes a Response of any implementation. */
  get [Symbol.toStringTag](): 'Response' {
    return 'Response'
  }

  async text(): Promise<string> {
    return this.content.toString()
  }

  async json(): Promise<unknown> {
    return JSON.parse(this.content.toString())
  }

  clone(): this {
    return this
  }
}
