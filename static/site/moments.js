// Shows every date and time in the format of the reader's browser: its locale where it speaks the language of the page,
// and the account's time zone, or the browser's own where there is no account.

const DAY = { year: "numeric", month: "short", day: "numeric" };
const HOUR = { hour: "numeric", minute: "2-digit" };
const KINDS = {
  date: DAY,
  moment: { ...DAY, ...HOUR },
  deadline: { weekday: "short", month: "short", day: "numeric", ...HOUR },
};

const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((name) => name.split("-")[0] === lang) ?? lang;

function formatter(options) {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: dataset.zone || undefined });
  } catch { // a time zone this browser has never heard of: the server's text stays
    return null;
  }
}

const formatters = new Map(Object.entries(KINDS).map(([kind, options]) => [kind, formatter(options)]));

function write() {
  for (const element of document.querySelectorAll("[data-moment]")) {
    const at = new Date(element.dataset.at ?? element.getAttribute("datetime"));
    const text = formatters.get(element.dataset.moment)?.format(at);
    if (text && element.textContent !== text) element.textContent = text;
  }
}

// Boards and lists arrive at any time, and each swap brings back the server's text.
new MutationObserver(write).observe(document.body, { childList: true, characterData: true, subtree: true });
write();
