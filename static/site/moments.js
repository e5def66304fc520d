// Shows every date and time in the format of the reader's browser: its locale where it speaks the language of the page,
// and the account's time zone, or the browser's own where there is no account. Within a week the day has a name.

const { lang, dataset } = document.documentElement;
const locale = navigator.languages.find((name) => name.split("-")[0] === lang) ?? lang;

// 8:05 where an hour comes twice a day, else 08:05: left to itself a browser writes now one and now the other.
const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
const HOUR = { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" };
const DAY = { year: "numeric", month: "short", day: "numeric" };
const KINDS = {
  date: DAY,
  day: { ...DAY, timeZone: "UTC" }, // of a calendar, not of a clock: midnight in UTC, as browsers read it
  moment: { ...DAY, ...HOUR },
  deadline: { weekday: "short", month: "short", day: "numeric", ...HOUR },
  near: { weekday: "short", ...HOUR },
  far: { month: "short", day: "numeric" },
  hour: HOUR,
};

// Ages, from the longest unit on: how many seconds it has.
const UNITS = { day: 86400, hour: 3600, minute: 60 };
const DAYS_KNOWN_BY_NAME = 6; // on the seventh it could be today
const MINUTE = 60000;

function formatter(options) {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone: dataset.zone || undefined, ...options });
  } catch { // a time zone this browser has never heard of: the server's text stays
    return null;
  }
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

// How many midnights lie between now and then, in the reader's time zone.
const calendar = formatter({ calendar: "iso8601", numberingSystem: "latn", year: "numeric", month: "numeric", day: "numeric" });

function dayOf(at) {
  const part = Object.fromEntries(calendar.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part.year, part.month - 1, part.day) / 1000 / UNITS.day;
}

const daysTo = (at) => dayOf(at) - dayOf(Date.now());
const isNear = (at) => calendar && Math.abs(daysTo(at)) <= DAYS_KNOWN_BY_NAME;

function moment(at) {
  if (!isNear(at)) return formatters.get("moment")?.format(at);
  const days = daysTo(at);
  if (Math.abs(days) > 1) return formatters.get("near")?.format(at);
  return `${relative.format(days, "day")}, ${formatters.get("hour")?.format(at)}`;
}

// A day in a sentence ("opens on ..."), where "tomorrow" would not fit.
const deadline = (at) => formatters.get(isNear(at) ? "near" : "deadline")?.format(at);

function age(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  if (!isNear(at)) return formatters.get("date")?.format(at);
  const [unit, length] = Object.entries(UNITS).find(([, length]) => seconds >= length) ?? ["second", 1];
  return relative.format(unit === "second" ? 0 : -Math.floor(seconds / length), unit);
}

// How long until then: in a unit of which there are at least two, or in minutes.
function left(at) {
  const seconds = Math.max(0, (at - Date.now()) / 1000);
  const [unit, length] = Object.entries(UNITS).find(([, length]) => seconds >= 2 * length) ?? ["minute", UNITS.minute];
  return relative.format(Math.ceil(seconds / length), unit);
}

// A deadline in few words: farther away than a week the day alone says enough.
const until = (at) => formatters.get(isNear(at) ? "near" : "far")?.format(at);

const formatters = new Map(Object.entries(KINDS).map(([kind, options]) => [kind, formatter(options)]));

const COUNTED = { age, deadline, left, moment, until };

function write() {
  for (const element of document.querySelectorAll("[data-moment]")) {
    const at = new Date(element.dataset.at ?? element.getAttribute("datetime"));
    const kind = element.dataset.moment;
    const text = COUNTED[kind]?.(at) ?? formatters.get(kind)?.format(at);
    if (text && element.textContent !== text) element.textContent = text;
  }
}

// Boards and lists arrive at any time, and each swap brings back the server's text.
new MutationObserver(write).observe(document.body, { childList: true, characterData: true, subtree: true });
setInterval(write, MINUTE);
write();
