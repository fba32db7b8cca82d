import * as v from 'valibot'
import { groupLifetimes, lifetimesOf, usedRows } from '../parts/lifetimes.ts'
import { spendingOf } from '../parts/spending.ts'
import { read } from './command.ts'
import {
  Amount,
  answerOf,
  costOf,
  distanceOf,
  field,
  hoursOf,
  Id,
  ifKnown,
  inputOf,
  orNull,
  period,
  rateOf,
  sayList,
  Text,
} from './fields.ts'

const cost = field(Amount, 'The cost, in `currency`.')
const rates = {
  cost_per_distance: orNull(Amount, 'The cost of one `units`, in `currency`. Null without rides or costs.'),
  cost_per_hour: orNull(Amount, 'The cost of an hour of riding, in `currency`. Null without rides or costs.'),
}
const sums = {
  cost,
  distance: field(Amount, 'The distance of the rides, in `units`.'),
  hours: field(Amount, 'The hours of the rides.'),
  ...rates,
}

const spending = read({
  name: 'spending',
  title: 'Add up the costs',
  path: '/v1/spending',
  description:
    'Adds up the costs of the log by month, bike and type, with the cost of riding. Use it for “what did this year cost?”, with the first day of the year as `from`.',
  Input: inputOf(period('the period')),
  Answer: answerOf({
    ...sums,
    this_year: field(Amount, 'The cost of this year until today, in `currency`, whatever the period.'),
    last_year_to_date: field(Amount, 'The cost of last year until the same day, in `currency`.'),
    next_twelve_months: orNull(
      v.strictObject({
        low: field(Amount, 'If the parts last long.'),
        high: field(Amount, 'If they wear out early.'),
      }),
      'What replacing worn parts will cost in the next twelve months. Null: unknown.',
    ),
    months: field(
      v.array(v.strictObject({ month: field(Text, 'The month, as YYYY-MM.'), cost })),
      'The months of the period with costs, newest first.',
    ),
    bikes: field(
      v.array(
        v.strictObject({
          id: field(Id, 'The bike’s id.'),
          name: field(Text, 'The bike’s name.'),
          ...sums,
        }),
      ),
      'All bikes; retired ones last.',
    ),
    types: field(
      v.array(v.strictObject({ type: orNull(Text, 'The type. Null: none.'), cost })),
      'The types with costs in the period, the most expensive first.',
    ),
  }),
  async run({ from, to }, { runSql }) {
    const { answer, units } = await runSql('spending', { from, to })
    const groups = groupLifetimes(lifetimesOf(usedRows(answer.used)))
    const { period: shown, ...costs } = spendingOf(answer.costs, groups)
    const sumsOf = (row: (typeof shown)['total']) => ({
      cost: costOf(row.cost),
      distance: distanceOf(row.distance, units),
      hours: hoursOf(row.moving_time),
      cost_per_distance: ifKnown(row.cost_per_km, (rate) => rateOf(rate, units)),
      cost_per_hour: ifKnown(row.cost_per_hour, costOf),
    })
    return {
      ...sumsOf(shown.total),
      this_year: costOf(costs.this_year),
      last_year_to_date: costOf(costs.last_year_to_date),
      next_twelve_months: ifKnown(costs.next_twelve_months, ({ low, high }) => ({
        low: costOf(low),
        high: costOf(high),
      })),
      months: answer.months.map((row) => ({ month: row.month, cost: costOf(row.cost) })),
      bikes: shown.bikes.map((bike) => ({
        id: bike.gear_id,
        name: answer.bikes[bike.gear_id] ?? '',
        ...sumsOf(bike),
      })),
      types: shown.types.map((row) => ({ type: row.type, cost: costOf(row.cost) })),
    }
  },
  say: ({ cost: total, currency, bikes, types }) =>
    sayList(
      [
        `Total: ${total} ${currency}`,
        ...bikes.map((bike) => `${bike.name}: ${bike.cost} ${currency}`),
        ...types.map((row) => `${row.type ?? 'No type'}: ${row.cost} ${currency}`),
      ],
      '',
    ),
})

export const spendingCommands = [spending]
