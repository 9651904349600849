// The load: so many users look up prices for so long. The connection `api` tells where, the command's inputs how much.
import http from 'k6/http'
import { check } from 'k6'

export const options = {
  vus: Number(__ENV.VUS),
  duration: __ENV.DURATION,
  // What makes it fail: k6 then ends with exit code 99.
  thresholds: {
    checks: ['rate>0.99'],
    http_req_duration: [`p(95)<${__ENV.P95}`],
  },
}

const GOODS = ['tea', 'milk', 'honey']

export default function () {
  const name = GOODS[Math.floor(Math.random() * GOODS.length)]
  const answer = http.get(`${__ENV.CONNECTION_API_URL}/prices/${name}`, { tags: { name: 'price' } })
  check(answer, { 'has a price': (a) => a.status === 200 && a.json('price') > 0 })
}

// One line of JSON: Ulna keeps the last one that a job writes as its summary.
export function handleSummary({ metrics }) {
  const of = (name) => (metrics[name] ? metrics[name].values : {})
  const failed = Object.keys(metrics).filter((name) =>
    Object.values(metrics[name].thresholds || {}).some((threshold) => !threshold.ok))
  const summary = {
    requests: of('http_reqs').count,
    perSecond: Math.round(of('http_reqs').rate),
    p95: Number(of('http_req_duration')['p(95)'].toFixed(2)),
    checks: of('checks').rate,
    failed,
  }
  return { stdout: `${JSON.stringify(summary)}\n` }
}
