import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { BrowserSession } from '../src/browser.ts'
import type { User } from '../src/index.ts'
import type { UserState } from '../src/react.ts'
import { importComponents, mount } from './support/hooks-runtime.ts'

const { SessionProvider } = await importComponents()

const ADA: User = { id: 1, email: 'ada@example.com', name: 'Ada', picture: null }

/** A session whose reads resolve when the test says so, in any order, and what the components know of the user. */
function mountSession(t: TestContext) {
  const document = { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} }
  Object.assign(globalThis, { document })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const reads: PromiseWithResolvers<User | null>[] = []
  let changed = (): void => {}
  const session = {
    user() {
      const read = Promise.withResolvers<User | null>()
      reads.push(read)
      return read.promise
    },
    onChange(listener: () => void) {
      changed = listener
      return () => {}
    },
  }
  const rendered = mount(SessionProvider, { session: session as unknown as BrowserSession })
  return {
    reads,
    signOut: () => changed(),
    async state(): Promise<string> {
      await setImmediate()
      const { value } = (rendered() as { readonly props: { readonly value: UserState } }).props
      return `${value.status} ${value.user?.email}`
    },
  }
}

test('React: a read of the session that arrives after a sign-out does not show the user as signed in', async (t) => {
  const { reads, signOut, state } = mountSession(t)
  assert.equal(await state(), 'loading undefined')
  signOut()
  reads[1]?.resolve(null)
  assert.equal(await state(), 'signedOut undefined')
  reads[0]?.resolve(ADA)
  assert.equal(await state(), 'signedOut undefined')
})

test('React: a read that fails after a newer one does not show the session as unavailable', async (t) => {
  const { reads, signOut, state } = mountSession(t)
  signOut()
  reads[0]?.reject(new Error('timeout'))
  assert.equal(await state(), 'loading undefined')
  reads[1]?.resolve(ADA)
  assert.equal(await state(), 'signedIn ada@example.com')
  signOut()
  reads[2]?.reject(new Error('timeout'))
  assert.equal(await state(), 'unavailable ada@example.com')
})
