import type { ENDPOINTS, OutputOf } from '@gatehouse/contract'
import type { z } from 'zod'

type Endpoints = (typeof ENDPOINTS)[number]

type Sent<E> = E extends { readonly body: infer B extends z.ZodType } ? { readonly body: z.input<B> } : object
type In<E> = E extends { readonly params: infer P extends z.ZodType } ? { readonly params: z.input<P> } : object

/** One call and what it is answered. A test makes every one of them. `{base_url}` is filled in. */
export type ExampleOf<E extends Endpoints> = Sent<E> &
  In<E> & { readonly query?: Readonly<Record<string, string | number>>; readonly answer: OutputOf<E> }

/** A new endpoint does not compile until it has an example. */
export type Examples<Id extends Endpoints['id'] = Endpoints['id']> = {
  readonly [E in Endpoints as E['id'] extends Id ? E['id'] : never]: ExampleOf<E>
}

/** What the examples speak of. Whoever tries them puts their own in place of these. */
export const SAMPLE = {
  tenantId: 'swift-fox-running-k3qd7',
  managementKey: 'svc_man_000000000000000000000000000000000000EXAMPL',
  applicationKey: 'svc_app_000000000000000000000000000000000000EXAMPL',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE',
  refreshToken: 'svc_rt_EXAMPLE',
  waitToken: 'svc_wt_EXAMPLE',
  edgeToken: 'svc_es_EXAMPLE',
  callbackUrl: 'http://localhost:3000/auth/callback',
} as const

export const SAMPLE_USER = {
  id: 1,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  picture: 'https://lh3.googleusercontent.com/a/ada',
} as const
