targetScope = 'resourceGroup' // the scope
metadata owner = 'team'

@description('''How many''')
param replicas int = 1 + 2 * 3
var labels { app: string, *: int? } = {
  app: '${name}-${toLower('x')}'
  'quoted key': [1, true, null]
}

resource service 'A/b@1' existing = {
  name: replicas > 1 ? 'a' : labels['app']
  @batchSize(1)
  resource child 'c' = [for (item, index) in items: if (index != 0) {
    value: item.?name ?? item[^1]
  }]
}
module part 'part.bicep' = if (!empty(labels)) { params: { ...labels } }
func join(a string, b 'x' | 'y') string => concat(a, b)
import { one, 'two-three' as four } from 'other.bicep'
import * as five from 'five.bicep'
extension six with { a: 1 } as seven
output eight resourceInput<'A/b@1'>.name = map(service::child, x => x.y!)[0]
