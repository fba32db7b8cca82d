import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { ResourceView } from '../../components/ResourceView.tsx'
import { SaveCsv } from '../../components/SaveCsv.tsx'
import { Section } from '../../components/Section.tsx'
import { SegmentedControl } from '../../components/SegmentedControl.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { Scroller, TableHead } from '../../components/tables.tsx'
import { addAmounts } from '../../lib/amount.ts'
import { counted, type Formats, useFormats, periodName } from '../../lib/formats.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import type { Spending as Data } from '../../../supabase/functions/spending/contract.ts'
import { spendingAtom, yearAtom } from './atoms.ts'
import { type Column, columnsOf, type Month, type Period, spendingToCsv } from './columns.ts'
import { CostTable } from './CostTable.tsx'
import { SpendingChart } from './SpendingChart.tsx'
import styles from './Spending.module.css'

export default function Spending() {
  const spending = useAtomValue(spendingAtom)
  const reload = useSetAtom(spendingAtom.reloadAtom)
  const formats = useFormats()
  return (
    <Section
      heading="Spending"
      aside={
        spending.state === 'ready' && (
          <p className="note">
            {`${formats.wholeMoney(spending.data.this_year)} this year, ${formats.wholeMoney(spending.data.last_year_to_date)} by this date last year`}
          </p>
        )
      }
    >
      <ResourceView
        resource={spending}
        failed="Spending could not be calculated."
        retry={reload}
        loading={<Skeleton width="100%" height="20rem" />}
      >
        {(data, { updating }) => (
          <div className={styles.card} aria-busy={updating}>
            <History data={data} />
            <p className="note">{forecastOf(data, formats)}</p>
            <CostPerMile data={data} />
          </div>
        )}
      </ResourceView>
    </Section>
  )
}

function forecastOf(
  { next_twelve_months: cost, next_twelve_months_parts: { known, unknown } }: Data,
  formats: Formats,
): string {
  if (cost === null) return 'Next 12 months: no estimate until more parts wear out'
  const missing =
    unknown === 0 ? '' : ` Not counted: ${counted(unknown, 'part')} with too few lifetimes or no price.`
  const [low, high] = [formats.wholeMoney(cost.low), formats.wholeMoney(cost.high)]
  const parts = known === 1 ? '1 part, if it lasts' : `${known} parts, if they last`
  return `Next 12 months: ${low === high ? low : `${low} to ${high}`} for ${parts} as long as earlier ones.${missing}`
}

const NO_TYPE = 'No type'

function History({ data }: { data: Data }) {
  const { currency } = useFormats().settings
  const bikeName = useAtomValue(bikeNameAtom)
  const [period, setPeriod] = useState<Period>('year')
  const [by, setBy] = useState<'type' | 'bike'>('type')
  const keyOf = ({ type, gear_id }: Month) => (by === 'type' ? (type ?? NO_TYPE) : bikeName(gear_id))
  const keys = [...new Set(data.months.map(keyOf))].toSorted()
  const columns = columnsOf(data.months, period, keys, keyOf, data.today)
  return (
    <>
      <div className={styles.tools}>
        <SegmentedControl
          legend="Spending by"
          options={[
            { value: 'year', label: 'Year' },
            { value: 'month', label: 'Month' },
          ]}
          value={period}
          onChange={setPeriod}
        />
        <SegmentedControl
          legend="Split by"
          options={[
            { value: 'type', label: 'Type' },
            { value: 'bike', label: 'Bike' },
          ]}
          value={by}
          onChange={setBy}
        />
        <SaveCsv
          fileName="spending.csv"
          isEmpty={data.months.length === 0}
          toCsv={() => spendingToCsv(data.months, currency, bikeName)}
        />
      </div>
      {data.months.length === 0 ? (
        <p className="note">No costs in the log yet.</p>
      ) : (
        <>
          {/* Each split has its own legend. */}
          <SpendingChart key={by} columns={columns} keys={keys} isTyped={by === 'type'} />
          <details>
            <summary>Table</summary>
            <HistoryTable columns={columns} keys={keys} period={period} />
          </details>
        </>
      )}
    </>
  )
}

function HistoryTable({ columns, keys, period }: { columns: Column[]; keys: string[]; period: Period }) {
  const formats = useFormats()
  return (
    <Scroller label="Costs over time">
      <table className={`plain-table ${styles.table}`}>
        <TableHead headers={[period === 'year' ? 'Year' : 'Month', ...keys, 'Total']} />
        <tbody>
          {columns.toReversed().map(({ start, costs, total }) => (
            <tr key={start}>
              <th scope="row">{periodName(start)}</th>
              {keys.map((key, index) => (
                <td key={key}>{formats.wholeMoney(costs[index] || null)}</td>
              ))}
              <td>{formats.wholeMoney(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function CostPerMile({ data }: { data: Data }) {
  const bikeName = useAtomValue(bikeNameAtom)
  const [year, setYear] = useAtom(yearAtom)
  const last = Number(data.today.slice(0, 4))
  const first = Math.min(
    last,
    ...[...data.months, ...data.income].map(({ month }) => Number(month.slice(0, 4))),
  )
  const { bikes, types, total } = data.period
  const income = data.income.filter(({ month }) => month.startsWith(year))
  return (
    <>
      <div className={styles.tools}>
        <h4>What riding costs</h4>
        <label>
          Year{' '}
          <select value={year} onChange={(event) => setYear(event.target.value)}>
            <option value="">All</option>
            {Array.from({ length: last - first + 1 }, (_, n) => last - n).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <CostTable
        groups={[
          {
            label: 'Bikes',
            rows: bikes.map((bike) => Object.assign({ name: bikeName(bike.gear_id) }, bike)),
          },
          {
            label: 'Types, on all bikes',
            rows: types.map((type) => Object.assign({ name: type.type ?? NO_TYPE }, type)),
          },
          { label: 'Everything', rows: [{ ...total, name: 'All bikes' }] },
          ...(income.length === 0
            ? []
            : [
                {
                  label: 'Sales',
                  rows: [
                    ...income.map(({ gear_id, amount }) => ({
                      name: `Sold: ${bikeName(gear_id)}`,
                      cost: amount,
                      of: 'income' as const,
                    })),
                    {
                      name: 'Spent, after sales',
                      cost: addAmounts([total.cost, ...income.map(({ amount }) => -amount)]),
                      of: 'rest' as const,
                    },
                  ],
                },
              ]),
        ]}
      />
    </>
  )
}
