// Pages show UTC, because the server doesn't know the reader's time zone. Replace it with local time and keep UTC in the
// title, to compare with logs. A date without a time is a UTC day, as limits count days, and stays.
const TIMES = 'time[datetime*=T]:not([title])'

function localize() {
  for (const time of document.querySelectorAll(TIMES)) {
    time.title = time.textContent
    time.textContent = localTime(new Date(time.dateTime))
  }
}

// `15 Nov 2026, 14:03`, as the page writes UTC.
function localTime(at) {
  const month = at.toLocaleString('en', { month: 'short' })
  const clock = [at.getHours(), at.getMinutes()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
  return `${at.getDate()} ${month} ${at.getFullYear()}, ${clock}`
}

localize()
// Rows that another script adds.
new MutationObserver(localize).observe(document.body, { childList: true, subtree: true })
