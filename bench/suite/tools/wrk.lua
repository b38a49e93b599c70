-- SPDX-License-Identifier: Apache-2.0
local marks = { 0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99 }

done = function(summary, latency)
  local pairs_of = {}
  for _, at in ipairs(marks) do
    pairs_of[#pairs_of + 1] = string.format("[%g,%d]", at, at == 0 and latency.min or latency:percentile(at))
  end
  local e = summary.errors
  print(string.format(
    'apus {"requests":%d,"microseconds":%d,"bytes":%d,"max":%d,"percentiles":[%s],' ..
    '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}',
    summary.requests, summary.duration, summary.bytes, latency.max, table.concat(pairs_of, ","),
    e.connect, e.read, e.write, e.status, e.timeout))
end
