// Where things run. `docker` starts them as containers of the Docker engine of this machine.
extension radius

resource docker 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'docker'
  properties: {
    compute: {
      kind: 'docker'
    }
  }
}
