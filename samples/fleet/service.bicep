extension radius

import { Service } from 'types.bicep'

param application string
param service Service

@secure()
param token string

resource container 'Applications.Core/containers@2023-10-01-preview' = {
  name: service.name
  properties: {
    application: application
    container: {
      image: 'docker.io/library/python:3.12-alpine'
      env: {
        ANSWER: {
          value: service.answer
        }
        TOKEN: {
          // On a platform that others look into, a secret store and 'valueFrom' would keep it.
          #disable-next-line ulna-plain-secret
          value: token
        }
      }
      ports: {
        http: {
          containerPort: 9000
        }
      }
      readinessProbe: {
        kind: 'tcp'
        containerPort: 9000
        periodSeconds: 1
      }
    }
    extensions: [
      {
        kind: 'manualScaling'
        replicas: service.?replicas ?? 1
      }
    ]
    runtimes: {
      process: {
        command: 'python3'
        args: ['service.py']
      }
    }
  }
}

output url string = container.properties.endpoints.http
