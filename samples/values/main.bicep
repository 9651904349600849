// The pure unit: resources without any effect outside. Good for a first look at plan, deploy and destroy.
param size int = 3

resource base 'Ulna.Core/values@2026-12-01' = {
  name: 'base'
  properties: {
    input: {
      size: size
    }
    triggers: {
      size: size
    }
  }
}

resource item 'Ulna.Core/values@2026-12-01' = [
  for i in range(0, size): {
    name: 'item-${i}'
    properties: {
      input: 'item ${i} of ${base.properties.output.size}'
    }
  }
]

output last string = item[size - 1].properties.output
