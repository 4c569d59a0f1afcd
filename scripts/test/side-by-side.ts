/** Runs the jobs in their order, at most `lanes` of them at a time. */
export async function sideBySide(lanes: number, jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = jobs.values()
  const lane = async (): Promise<void> => {
    // All lanes take from the same iterator, so each job runs once.
    for (const job of waiting) await job()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
