// The two functions of Next.js that the adapter calls, so that this package builds without it.

declare module 'next/headers.js' {
  export function headers(): Promise<Headers>
}

declare module 'next/server.js' {
  export const NextResponse: {
    next(init: { readonly request: { readonly headers: Headers } }): Response
  }
}
