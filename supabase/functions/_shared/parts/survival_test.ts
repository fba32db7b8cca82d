import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  kaplanMeierMedian,
  kaplanMeierPercentiles,
  medianOf,
  type Observation,
  percentilesOf,
  typicalOf,
} from './survival.ts'

// From R 4.2 with survival 3.5: `summary(survfit(Surv(time, status) ~ 1))$table["median"]` and `median(time[status == 1])`.
// As in R's output, "+" marks a lifetime that hasn't ended. The first 12 rows are data sets from the package or the named
// paper; the rest are edge cases.
const REFERENCE: [name: string, times: string, kaplanMeier: number | null, ended: number | null][] = [
  ['aml, maintained', '9 13 13+ 18 23 28+ 31 34 45+ 48 161+', 31, 23],
  ['aml, not maintained', '5 5 8 8 12 16+ 23 27 30 33 43 45', 23, 23],
  [
    'ovarian',
    '59 115 156 421+ 431 448+ 464 475 477+ 563 638 744+ 769+ 770+ 803+ 855+ 1040+ 1106+ 1129+ 1206+ 1227+ 268 329 353 365 377+',
    638,
    359,
  ],
  ['veteran, squamous', '72 411 228 126 118 10 82 110 314 100+ 42 8 144 25+ 11', 110, 110],
  [
    'veteran, small cell',
    '30 384 4 54 13 123+ 97+ 153 59 117 16 151 22 56 21 18 139 20 31 52 287 18 51 122 27 54 7 63 392 10',
    53,
    51.5,
  ],
  ['veteran, adenocarcinoma', '8 92 35 117 132 12 162 3 95', 92, 92],
  ['veteran, large cell', '177 162 216 553 278 12 260 200 156 182+ 143 105 103 250 100', 177, 169.5],
  [
    'rats, treated females (first 20)',
    '101+ 104+ 104+ 77+ 89+ 88 104 96 82+ 70 89 91+ 39 103 93+ 85+ 104+ 104+ 81+ 67',
    104,
    88.5,
  ],
  ['kidney, men', '8 16 22 28 30 12 7 9 15 154 17 4+ 152 562 12 40 2 25 63 8+', 22, 19.5],
  ['kidney, women with GN', '23 13+ 511 30 22+ 159+ 132 156 130 26 190 5+', 132, 131],
  ['Freireich 1963, 6-MP', '6 6 6 7 10 13 16 22 23 6+ 9+ 10+ 11+ 17+ 19+ 20+ 25+ 32+ 32+ 34+ 35+', 23, 10],
  ['Freireich 1963, placebo', '1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23', 8, 8],
  ['one half until the end', '1000 1500+', 1000, 1000],
  ['one half between two ends', '1 2 3 4', 2.5, 2.5],
  ['one half across a running one', '1 2 3+ 4', 3, 2],
  ['an end and a running one at the same time', '1 2 2+ 3', 2.5, 2],
  ['one half until the end, with three running', '1 2 3 10+ 11+ 12+', 3, 2],
  ['never one half', '1 5+ 6+ 7+', null, 1],
  ['none ended', '5+ 6+', null, null],
  ['a single one', '7', 7, 7],
]

const parse = (times: string): Observation[] =>
  times.split(' ').map((time) => ({ value: Number.parseFloat(time), ended: !time.endsWith('+') }))

for (const [name, times, kaplanMeier, ended] of REFERENCE) {
  Deno.test(`medians match R: ${name}`, () => {
    const observations = parse(times)
    assert.equal(kaplanMeierMedian(observations), kaplanMeier)
    assert.equal(kaplanMeierMedian(observations.toReversed()), kaplanMeier)
    assert.equal(medianOf(observations.filter(({ ended }) => ended).map(({ value }) => value)), ended)
  })
}

Deno.test('percentiles match R, and are unknown beyond the last end', () => {
  const maintained = parse('9 13 13+ 18 23 28+ 31 34 45+ 48 161+')
  assert.deepEqual(kaplanMeierPercentiles(maintained, [25, 50, 75, 95]), [18, 31, 48, Infinity])
  assert.deepEqual(kaplanMeierPercentiles([], [50]), [Infinity])
})

Deno.test('counted lifetimes have the percentiles of the same lifetimes one by one', () => {
  const step = fc.record({ ends: fc.integer({ min: 0, max: 5 }), running: fc.integer({ min: 0, max: 5 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (counts) => {
      const steps = counts.map(({ ends, running }, index) => ({
        value: index + 1,
        ends,
        all: ends + running,
      }))
      const each = steps.flatMap(({ value, ends, all }) =>
        Array.from({ length: all }, (_, index) => ({ value, ended: index < ends })),
      )
      assert.deepEqual(
        percentilesOf(
          steps.filter(({ all }) => all > 0),
          [5, 50, 95],
        ),
        kaplanMeierPercentiles(each.toReversed(), [5, 50, 95]),
      )
    }),
    { seed: 1 },
  )
})

Deno.test('uses the plain median until a running part has outlived it', () => {
  assert.deepEqual(typicalOf(parse('1000 2000 3000 2000+')), { value: 2000, kind: 'median' })
  assert.deepEqual(typicalOf(parse('1000 2000 3000 2001+')), { value: 2500, kind: 'kaplan_meier' })
  assert.deepEqual(typicalOf(parse('1000 2000+ 2500+ 1500+')), { value: 2500, kind: 'over' })
  assert.deepEqual(typicalOf(parse('1000')), { value: 1000, kind: 'median' })
  assert.equal(typicalOf(parse('1000+ 2000+')), null)
  assert.equal(typicalOf([]), null)
})

// Counting running parts as ended would make parts look shorter-lived than they are.
Deno.test('never counts a running part as ended', () => {
  const ended = parse('2000 2400 2600')
  for (const running of [1, 1999, 2400]) {
    assert.equal(typicalOf([...ended, { value: running, ended: false }])?.value, 2400)
  }
  assert.ok(typicalOf([...ended, { value: 9000, ended: false }])!.value > 2400)
})
