// A database of Azure, and a job that makes a table in it. With `emulated` the server runs here, and the job notices nothing.
extension radius

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('Whether the server is an emulator, in place of one of Azure.')
param emulated bool = true

@description('An image with PostgreSQL, for the emulator and for the job.')
param postgres string = 'docker.io/library/postgres:16-alpine'

@secure()
@description('The password of the administrator.')
param password string

resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: {
    environment: environment
  }
}

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2024-08-01' = {
  name: 'orders'
  location: 'westeurope'
  tags: emulated
    ? {
        'ulna.emulator': 'true'
        'ulna.emulator.image': postgres
      }
    : {}
  sku: {
    name: 'Standard_B1ms'
    tier: 'Burstable'
  }
  properties: {
    version: '16'
    administratorLogin: 'ada'
    administratorLoginPassword: password
    storage: {
      storageSizeGB: 32
    }
  }
}

resource migrate 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'migrate'
  properties: {
    application: shop.id
    restartPolicy: 'Never'
    container: {
      image: postgres
      command: ['psql']
      args: ['-v', 'ON_ERROR_STOP=1', '-c', loadTextContent('orders.sql')]
      env: {
        PGHOST: {
          value: server.properties.fullyQualifiedDomainName
        }
        PGPORT: {
          value: string(server.properties.?port ?? 5432)
        }
        PGUSER: {
          value: 'ada'
        }
        PGPASSWORD: {
          value: password
        }
        PGDATABASE: {
          value: 'postgres'
        }
      }
    }
    runtimes: {
      process: {
        command: 'psql'
        args: ['-v', 'ON_ERROR_STOP=1', '-f', 'orders.sql']
      }
    }
  }
}
