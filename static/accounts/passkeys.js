// Says in words what went wrong with a passkey; allauth's scripts do the rest and report through `allauth.error`.
const notice = document.getElementById('passkey-problem')

const REASONS = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'known',
  SecurityError: 'address'
}

function show (reason) {
  notice.textContent = notice.dataset[reason]
  notice.hidden = false
}

document.addEventListener('allauth.error', (event) => {
  event.preventDefault()
  if (!window.isSecureContext) show('address')
  else if (!window.PublicKeyCredential) show('missing')
  else show(REASONS[event.detail.exception?.name] ?? 'other')
})
