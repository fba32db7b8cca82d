import { DEFAULT_SETTINGS, type Settings } from '../../lib/settings.ts'

/** Common currencies, which begin with their region. Other regions keep the default currency and first day of the week. */
const CURRENCIES = (
  'AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN ' +
  'RON SEK SGD THB TRY TWD UAH USD ZAR'
).split(' ')

/** The regions that use another one's currency. */
const SHARED: Record<string, string> = {
  CHF: 'LI',
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
  USD: 'PR',
}

// Intl.Locale's getWeekInfo is missing in some browsers. From the CLDR, for the regions above.
const WEEK_STARTS: Partial<Record<Settings['week_start'], string>> = {
  Sunday: 'BR CA CO HK ID IL IN JP KR MX PH PR PT SG TH TW US ZA',
  Saturday: 'AE',
}

/** Of the regions that ride in miles. Others, and languages without a region except English, use kilometers. */
const MILES = 'GB LR PR US'

const includes = (list: string, region: string) => list.split(' ').includes(region)

/** Returns how people who use a locale write, such as kilometers, `22.11.2026` and euros for `de-DE`. The default settings if it is malformed. */
export function settingsOf(locale: string): Settings {
  try {
    const { language, region } = new Intl.Locale(locale)
    return { ...DEFAULT_SETTINGS, ...ofRegion(language, region), dates: datesOf(locale) }
  } catch {
    // Some systems have languages like `en-US@posix`.
    return DEFAULT_SETTINGS
  }
}

function ofRegion(language: string, region: string | undefined): Partial<Settings> {
  if (region === undefined) return { distance: language === 'en' ? 'mi' : 'km' }
  const distance = includes(MILES, region) ? 'mi' : 'km'
  const shared = Object.keys(SHARED).find((code) => includes(SHARED[code]!, region))
  const currency = shared ?? CURRENCIES.find((code) => code.startsWith(region))
  if (currency === undefined) return { distance }
  const starts = ['Sunday', 'Saturday'] as const
  const week_start = starts.find((start) => includes(WEEK_STARTS[start]!, region)) ?? 'Monday'
  return { distance, currency, week_start }
}

/** Returns the closest of the offered formats. Only numbers of the Gregorian calendar are offered. */
function datesOf(locale: string): Settings['dates'] {
  const format = new Intl.DateTimeFormat(locale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone: 'UTC',
  })
  const parts = format.formatToParts(Date.UTC(2026, 10, 22))
  const first = parts.find(({ type }) => type !== 'literal')?.type
  if (first === 'year') return 'YYYY-MM-DD'
  if (first === 'month') return 'MM/DD/YYYY'
  return parts.some(({ type, value }) => type === 'literal' && value.includes('.'))
    ? 'DD.MM.YYYY'
    : 'DD/MM/YYYY'
}
