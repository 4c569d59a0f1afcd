import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempt, type Change, judge } from './witness.ts'

const FORMER = 1
const SUCCESSOR = 2

/** Rows of the former primary at 100, 200, …, 900 on timeline 1; its successor accepts writes from 700 on. */
const rows: Attempt[] = []
for (let time = 100; time < 1_200; time += 100) {
  const row = (node: number, timeline: number | null): Attempt => ({
    id: rows.length + 1,
    node,
    timeline,
    sentAt: time,
    ackedAt: time + 10,
  })
  rows.push(row(FORMER, time > 900 ? null : 1))
  rows.push(row(SUCCESSOR, time < 700 ? null : 2))
}
/** The successor was promoted with what the former primary had committed at 500. */
const KEPT = new Set(
  rows.filter(({ node, sentAt }) => node === SUCCESSOR || sentAt <= 500).map(({ id }) => id),
)
const change = (sentAt: number, ackedAt = sentAt + 5): Change => ({ sentAt, ackedAt })
const judged = (...lost: readonly Change[]) => judge(lost, rows, KEPT)

test('the witness counts the rows that PostgreSQL acknowledged and lost', () => {
  const { committed, lost, unexplained } = judged()
  assert.deepEqual([committed, lost, unexplained.length], [14, 4, 0])
})

// proves C365
test('a lost change is explained if each later row of its server is lost, too', () => {
  assert.deepEqual(judged(change(520), change(905)).unexplained, [])
  // It was sent before the last row that was kept; its commit may have been later.
  assert.deepEqual(judged(change(450, 530)).unexplained, [])
})

// proves C365
test('a lost change that was acknowledged before a row that was kept is not explained', () => {
  const [lost, other] = [change(480), change(110)]
  assert.deepEqual(judged(lost, change(520), other).unexplained, [lost, other])
})

test('a lost change that was sent after the former primary had ended is not explained', () => {
  const lost = change(1_050)
  assert.deepEqual(judged(lost).unexplained, [lost])
})

test('without a failover no lost change is explained', () => {
  const lost = change(650)
  const all = new Set(rows.map(({ id }) => id))
  assert.deepEqual(judge([lost], rows, all).unexplained, [lost])
})

test('a row without an acknowledgement that was kept proves as much as any other', () => {
  const cut = rows.map((row) =>
    row.node === FORMER && row.sentAt > 500 ? { ...row, timeline: null } : row,
  )
  const kept = new Set([
    ...KEPT,
    ...rows.filter(({ node, sentAt }) => node === FORMER && sentAt === 600).map(({ id }) => id),
  ])
  const lost = change(550)
  assert.deepEqual(judge([lost], cut, kept).unexplained, [lost])
  assert.deepEqual(judge([lost], cut, KEPT).unexplained, [])
})

test('the witness says how long a former primary was used beside its successor', () => {
  assert.equal(judged(change(520)).lateMs, 0)
  assert.equal(judged(change(520), change(800)).lateMs, 95)
})
