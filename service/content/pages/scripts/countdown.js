// Counts the seconds of an exhausted limit down. Without this script, the page says how many there were.
const left = document.querySelector('[data-seconds]')
// A wait of more than two minutes is not counted.
if (left) {
  countDown(left.parentElement, Number(left.dataset.seconds))
}

function countDown(sentence, total) {
  const { lang } = document.documentElement
  // The digits of the page, as in languages/intl-locale.ts.
  const words = new Intl.RelativeTimeFormat(`${lang}-u-nu-latn`)
  const end = performance.now() + total * 1000
  const timer = setInterval(() => {
    const seconds = Math.ceil((end - performance.now()) / 1000)
    if (seconds > 0) {
      left.textContent = words.format(seconds, 'second')
      return
    }
    clearInterval(timer)
    // Screen readers hear the end, not every second.
    sentence.setAttribute('role', 'status')
    sentence.textContent = sentence.dataset.over
  }, 1000)
}
