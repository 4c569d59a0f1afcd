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
function mountSession(t: TestContext, user?: User | null) {
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
  const props = {
    session: session as unknown as BrowserSession,
    ...(user !== undefined && { user }),
  }
  const rendered = mount(SessionProvider, props)
  return {
    reads,
    update: (user: User | null) => rendered.update({ ...props, user }),
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

test('React: another user of the server is shown, an equal one undoes no sign-out, and an older read changes nothing', async (t) => {
  const { reads, signOut, update, state } = mountSession(t, ADA)
  assert.equal(await state(), 'signedIn ada@example.com')
  update(null)
  assert.equal(await state(), 'signedOut undefined')
  signOut()
  update({ ...ADA, id: 2, email: 'grace@example.com' })
  reads[0]?.resolve(ADA)
  assert.equal(await state(), 'signedIn grace@example.com')
  signOut()
  reads[1]?.resolve(null)
  assert.equal(await state(), 'signedOut undefined')
  update({ ...ADA, id: 2, email: 'grace@example.com' })
  assert.equal(await state(), 'signedOut undefined')
  assert.equal(reads.length, 2, 'a user of the server needs no read')
})
