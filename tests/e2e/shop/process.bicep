resource local 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'process'
  properties: {
    compute: {
      kind: 'process'
      gateway: { port: 18180 }
    }
  }
}
