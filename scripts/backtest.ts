// `npm run backtest`: how often forecasts would have held for generated riders.
import { printBacktest } from '../bench/backtest.ts'

printBacktest()
