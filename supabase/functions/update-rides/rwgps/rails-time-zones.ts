// Older accounts and trips have Ruby on Rails time zone names. Most are the city of an IANA zone.
const CITIES: Record<string, string> = {
  Africa: 'Cairo, Casablanca, Harare, Monrovia, Nairobi',
  America:
    'Asuncion, Bogota, Caracas, Chihuahua, La Paz, Lima, Mazatlan, Mexico City, Monterrey, Montevideo, Puerto ' +
    'Rico, Santiago, Tijuana',
  Asia:
    'Almaty, Baghdad, Baku, Bangkok, Chongqing, Dhaka, Hong Kong, Irkutsk, Jakarta, Jerusalem, Kabul, ' +
    'Kamchatka, Karachi, Kathmandu, Kolkata, Krasnoyarsk, Kuala Lumpur, Kuwait, Magadan, Muscat, ' +
    'Novosibirsk, Rangoon, Riyadh, Seoul, Singapore, Srednekolymsk, Taipei, Tashkent, Tbilisi, Tehran, ' +
    'Tokyo, Ulaanbaatar, Urumqi, Vladivostok, Yakutsk, Yerevan',
  Atlantic: 'Azores',
  Australia: 'Adelaide, Brisbane, Darwin, Hobart, Melbourne, Perth, Sydney',
  Etc: 'UTC',
  Europe:
    'Amsterdam, Athens, Belgrade, Berlin, Bratislava, Brussels, Bucharest, Budapest, Copenhagen, ' +
    'Dublin, Helsinki, Istanbul, Kaliningrad, Lisbon, Ljubljana, London, Madrid, Minsk, Moscow, Paris, ' +
    'Prague, Riga, Rome, Samara, Sarajevo, Skopje, Sofia, Stockholm, Tallinn, Vienna, Vilnius, ' +
    'Volgograd, Warsaw, Zagreb, Zurich',
  Pacific: 'Auckland, Fiji, Guam, Port Moresby',
}

/** The other names. Several can share a zone. */
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

/** IANA zones by Rails name. */
export const RAILS_TIME_ZONES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CITIES).flatMap(([area, cities]) =>
    cities.split(', ').map((city) => [city, `${area}/${city.replaceAll(' ', '_')}`] as const),
  ),
  ...Object.entries(NAMES_BY_ZONE).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)),
])
