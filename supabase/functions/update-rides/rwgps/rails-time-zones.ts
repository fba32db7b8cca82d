// Older accounts and trips have Ruby on Rails time zone names.
/** The names that aren't the city of an IANA zone. Several can share a zone. */
const NAMES_BY_ZONE: Record<string, string[]> = {
  'Africa/Algiers': ['West Central Africa'],
  'Africa/Johannesburg': ['Pretoria'],
  'America/Argentina/Buenos_Aires': ['Buenos Aires'],
  'America/Chicago': ['Central Time (US & Canada)'],
  'America/Denver': ['Mountain Time (US & Canada)'],
  'America/Godthab': ['Greenland'],
  'America/Guatemala': ['Central America'],
  'America/Guyana': ['Georgetown'],
  'America/Halifax': ['Atlantic Time (Canada)'],
  'America/Indiana/Indianapolis': ['Indiana (East)'],
  'America/Juneau': ['Alaska'],
  'America/Lima': ['Quito'],
  'America/Los_Angeles': ['Pacific Time (US & Canada)'],
  'America/Mexico_City': ['Guadalajara'],
  'America/New_York': ['Eastern Time (US & Canada)'],
  'America/Phoenix': ['Arizona'],
  'America/Regina': ['Saskatchewan'],
  'America/Sao_Paulo': ['Brasilia'],
  'America/St_Johns': ['Newfoundland'],
  'Asia/Bangkok': ['Hanoi'],
  'Asia/Colombo': ['Sri Jayawardenepura'],
  'Asia/Dhaka': ['Astana'],
  'Asia/Karachi': ['Islamabad'],
  'Asia/Kolkata': ['Chennai', 'Mumbai', 'New Delhi'],
  'Asia/Muscat': ['Abu Dhabi'],
  'Asia/Shanghai': ['Beijing'],
  'Asia/Tokyo': ['Osaka', 'Sapporo'],
  'Asia/Ulaanbaatar': ['Ulaan Bataar'],
  'Asia/Yekaterinburg': ['Ekaterinburg'],
  'Atlantic/Cape_Verde': ['Cape Verde Is.'],
  'Atlantic/South_Georgia': ['Mid-Atlantic'],
  'Australia/Melbourne': ['Canberra'],
  'Europe/Kiev': ['Kyiv', 'Kyev'],
  'Europe/London': ['Edinburgh'],
  'Europe/Moscow': ['St. Petersburg'],
  'Europe/Zurich': ['Bern'],
  'Pacific/Apia': ['Samoa'],
  'Pacific/Auckland': ['Wellington'],
  'Pacific/Chatham': ['Chatham Is.'],
  'Pacific/Fakaofo': ['Tokelau Is.'],
  'Pacific/Guadalcanal': ['Solomon Is.'],
  'Pacific/Honolulu': ['Hawaii'],
  'Pacific/Majuro': ['Marshall Is.'],
  'Pacific/Midway': ['International Date Line West', 'Midway Island'],
  'Pacific/Noumea': ['New Caledonia'],
  'Pacific/Pago_Pago': ['American Samoa'],
  'Pacific/Tongatapu': ["Nuku'alofa"],
}

const ZONES_BY_NAME = new Map(
  Object.entries(NAMES_BY_ZONE).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)),
)
const AREAS = ['Europe', 'America', 'Asia', 'Africa', 'Atlantic', 'Australia', 'Pacific']

/** Returns the IANA names that a Rails name can mean. Most don't exist. */
export function railsTimeZones(name: string): string[] {
  const zone = ZONES_BY_NAME.get(name)
  return zone ? [zone] : AREAS.map((area) => `${area}/${name.replaceAll(' ', '_')}`)
}
