param environment string
resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'other'
  properties: { environment: environment }
}
resource again 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'again'
  properties: { application: shop.id, type: 'certificate', resource: 'pair', data: { 'tls.crt': {}, 'tls.key': {} } }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'reader'
  properties: {
    application: shop.id
    container: {
      image: 'localhost/python:3'
      command: ['sh', '-c', 'A=$(echo "$A"); B=$(echo "$B"); echo by id \${#A} by name \${#B}; sleep 1000']
      env: { 
        A: { valueFrom: { secretRef: { source: again.id, key: 'tls.crt' } } }
        B: { valueFrom: { secretRef: { source: 'pair', key: 'tls.key' } } }
      }
    }
    runtimes: { process: {}, docker: { StopTimeout: 1 } }
  }
}
