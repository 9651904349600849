// Where things run: processes of this machine.
extension radius

resource local 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'local'
  properties: {
    compute: {
      kind: 'process'
    }
  }
}
