/** Words that are nearly always wrong here, with the usual replacement. Whole words, in any case. */
export const WORDS: [word: string, instead: string][] = [
  ['alone', 'only'],
  ['amiss', 'wrong'],
  ['anew', 'again'],
  ['at once', 'immediately, or at the same time'],
  ['beside', 'next to, or also'],
  ['is no(?:ne)?', 'isn’t, or has no'],
  ['judges?|verdicts?', 'validate, FieldState'],
  ['kept', 'stored, cached or unchanged'],
  ['ledgers?', 'sync history'],
  ['lies', 'is'],
  ['e?-?mails?(?<!email|emails)', 'email'],
  ['meanwhile', 'while'],
  ['of whom', 'a second sentence'],
  ['pictures?', 'chart, screenshot or image'],
  ['proofs?', 'test'],
  ['sentences?', 'message'],
  ['set aside', 'skipped'],
  ['so that', 'so'],
  ['stands', 'is'],
  ['takes', 'accepts'],
  ['tales?', 'the standard term'],
  ['tells?|told', 'shows, reports or logs'],
  ['whole', 'complete'],
  ['behaviours?|centres?|colour(?:s|ed)?|grey|licences?|(?:kilo)?metres?', 'American spelling'],
]

/** Phrases in which such a word is right. */
export const ALLOWED: { phrase: RegExp; files?: RegExp; reason: string }[] = [
  { phrase: /\bis no (?:longer|more than)\b|\bthere is no(?:ne)?\b/gi, reason: 'idiom' },
  { phrase: /\bwhole (?:number|word|dollar)s?\b/gi, reason: 'idiom' },
  {
    phrase: /\btells? (?:you|\S+ apart)\b|\b(?:can’t|can't|cannot) tell\b|\btoo few to tell\b/gi,
    reason: 'idiom',
  },
  { phrase: /\bsentence case\b|\bshort sentences\b/gi, reason: 'idiom' },
  {
    phrase: /\btakes (?:\S+ ){0,6}(?:ms|(?:milli)?seconds?|minutes?|hours?|time|longer|as long)\b/gi,
    reason: 'duration',
  },
  { phrase: /\btakes (?:place|precedence|over|too long)\b/gi, reason: 'idiom' },
  { phrase: /\btakes (?:the|its|an advisory) lock\b/gi, reason: 'idiom' },
  { phrase: /\bstands for\b/gi, reason: 'idiom' },
  { phrase: /\bleaves? (?:\S+ ){0,3}alone\b/gi, reason: 'idiom' },
  {
    phrase: /\b(?:is|are|was)(?:'\})? kept\b/g,
    files: /sync|switch-account/,
    reason: 'rides and log entries that are not removed',
  },
  { phrase: /E-mail:/g, reason: 'label that npm start prints, fixed by the design' },
]
