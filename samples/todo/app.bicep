// A to-do list: a web front, an API, a cache that keeps the list on a volume. The same file on every compute kind.
extension radius

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('The password of the cache.')
@secure()
param password string

@description('An image with Python, which runs the web front and the API.')
param python string = 'docker.io/library/python:3.12-alpine'

@description('An image with Redis.')
param redis string = 'docker.io/library/redis:7-alpine'

@description('How many web fronts there are.')
@minValue(1)
@maxValue(10)
param replicas int = 1

@description('What the page says above the list.')
param title string = 'To do'

@description('A program of this folder, as the command of a container: the images hold Python, and nothing of ours.')
func program(text string) string[] => ['python3', '-u', '-c', text]

@description('A program of this folder, as a process of this machine alone.')
func process(file string) object => {
  command: 'python3'
  args: ['-u', file]
  env: {
    HOST: '127.0.0.1'
  }
  gracePeriodSeconds: 2
}

resource todo 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'todo'
  properties: {
    environment: environment
  }
}

resource secrets 'Applications.Core/secretStores@2023-10-01-preview' = {
  name: 'todo-secrets'
  properties: {
    application: todo.id
    type: 'generic'
    data: {
      password: {
        value: password
      }
    }
  }
}

resource data 'Applications.Core/volumes@2023-10-01-preview' = {
  name: 'todo-data'
  properties: {
    application: todo.id
    kind: 'persistent'
    sizeInGib: 1
  }
}

resource store 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'redis'
  properties: {
    application: todo.id
    container: {
      image: redis
      command: ['sh', '-c']
      args: [loadTextContent('redis.sh')]
      env: {
        REDIS_PASSWORD: {
          valueFrom: {
            secretRef: {
              source: secrets.id
              key: 'password'
            }
          }
        }
      }
      ports: {
        redis: {
          containerPort: 6379
          scheme: 'redis'
        }
      }
      readinessProbe: {
        kind: 'tcp'
        containerPort: 6379
        periodSeconds: 1
      }
      volumes: {
        data: {
          kind: 'persistent'
          source: data.id
          mountPath: '/data'
          permission: 'write'
        }
      }
    }
    runtimes: {
      process: process('cache.py')
    }
  }
}

// The cache is the container above: its host is the container's name, and leads to it wherever that runs.
resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: {
    environment: environment
    application: todo.id
    resourceProvisioning: 'manual'
    host: store.name
    port: 6379
    secrets: {
      password: password
    }
  }
}

resource api 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'api'
  properties: {
    application: todo.id
    container: {
      image: python
      command: program(loadTextContent('api.py'))
      ports: {
        http: {
          containerPort: 8081
        }
      }
      readinessProbe: {
        kind: 'httpGet'
        containerPort: 8081
        path: '/healthz'
        periodSeconds: 1
      }
    }
    connections: {
      cache: {
        source: cache.id
      }
    }
    runtimes: {
      process: process('api.py')
    }
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: todo.id
    container: {
      image: python
      command: program(loadTextContent('web.py'))
      env: {
        TITLE: {
          value: title
        }
      }
      ports: {
        http: {
          containerPort: 8080
        }
      }
      readinessProbe: {
        kind: 'httpGet'
        containerPort: 8080
        path: '/healthz'
        periodSeconds: 1
      }
    }
    connections: {
      api: {
        source: api.id
      }
    }
    extensions: [
      {
        kind: 'manualScaling'
        replicas: replicas
      }
    ]
    // What only one compute kind has. The other kinds pass a block over, and the plan says so.
    runtimes: {
      process: process('web.py')
      docker: {
        HostConfig: {
          Init: true
        }
      }
      kubernetes: {
        pod: {
          terminationGracePeriodSeconds: 5
        }
      }
      aci: {
        sku: 'Standard'
      }
      ecs: {
        taskDefinition: {
          runtimePlatform: {
            cpuArchitecture: 'X86_64'
            operatingSystemFamily: 'LINUX'
          }
        }
      }
    }
  }
}

resource entry 'Applications.Core/gateways@2023-10-01-preview' = {
  name: 'entry'
  properties: {
    application: todo.id
    routes: [
      {
        path: '/'
        destination: 'http://${web.name}:8080'
      }
      {
        path: '/api'
        destination: 'http://${api.name}:8081'
        replacePrefix: '/'
      }
    ]
  }
}

@description('Where people reach it.')
output url string = entry.properties.url
