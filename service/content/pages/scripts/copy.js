// Browsers offer the clipboard to secure pages only (https and localhost). Elsewhere there is no button.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code, .file')) {
    addButton(block)
  }
  document.addEventListener('codeadded', ({ detail }) => addButton(detail))
}

function addButton(block) {
  const pre = block.querySelector('pre')
  const caption = block.querySelector('figcaption')
  if (!caption) {
    pre.classList.add('copyable')
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  // Which block, for screen readers.
  const name = document.createElement('span')
  name.className = 'unseen'
  name.textContent = `: ${pre.getAttribute('aria-label')}`
  button.append('Copy', name)
  // Screen readers announce a changed live region; a changed button stays silent.
  const status = document.createElement('span')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  const say = (text, announcement) => {
    button.firstChild.textContent = text
    status.textContent = announcement
  }
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    say('Copied', 'Copied')
    setTimeout(() => say('Copy', ''), 2000)
  })
  ;(caption ?? block).append(button, status)
}
