"""Ulna's own codes: one line each, its title and what to do.

0 reading, 2 expanding, 3 platforms, 4 state, 5 and 6 deploying, 7 the command line."""

ULNA = """
ULN001 An expression nests too deeply | Give the inner part a name with var, and use the name.
ULN002 A template cannot be read | The message says why.
ULN004 A file cannot be read | The message says why: it does not exist, is a folder, or may not be read.
ULN005 A file is no text | Source files are UTF-8, or UTF-16 with a byte order mark.
ULN006 A file is too large | Source files may have 10 MB. Is it the right file?
ULN010 A template is not valid JSON | Comments and trailing commas are fine; the message says what is not.
ULN011 A JSON file is no deployment template | Its $schema must name a deployment template, and its sections must be objects.
ULN012 A template has no Bicep form | The message says what stands in the way, and where.
ULN020 A setting of bicepconfig.json does not exist | Remove it, or correct its name.
ULN021 A setting of bicepconfig.json has a wrong value | The message says what it must be.
ULN022 The types that are given cannot be used | The message says why. Types are a folder with an index.json in the form of bicep-types, such a folder packed as .tgz, or a list of Namespace/type@version names, one a line, perhaps packed as .xz; they are given by --types, ULNA_TYPES, or the setting ulna.types.
ULN030 A reference to a Git repository is malformed | Write git:URL//PATH@COMMIT, with a full commit.
ULN031 ulna.lock cannot be used | Restore it from version control, or remove it and run 'ulna restore'.
ULN032 A module cannot be published there | The message says why.
ULN033 What should be published is there already | Choose another tag, or overwrite it with --force.
ULN034 A registry could not be used | The message says why.
ULN041 A fix was not carried out | It would have made more wrong than there was. Mend the place by hand.
ULN120 An expression nests too deeply to be evaluated | Give the inner part a name with var.
ULN201 A value is given for a parameter that does not exist | Check the name; the help lists the parameters.
ULN202 A parameter has no value | Pass it with -p name=value, or give it a default.
ULN203 The value of a parameter does not fit its declaration | The message says what is wanted.
ULN204 An expression cannot be evaluated | The message says why, and where it stands.
ULN205 Resources wait for each other | The message shows the circle. Remove one of the references.
ULN206 A resource waits for something that is not there | Check its annotations.
ULN207 A module cannot be unfolded | Linked templates cannot be read; use a file.
ULN208 Two resources are the same | Give one of them another name.
ULN209 A template is malformed | The message says where.
ULN211 The identity of a resource is malformed | The message says what its name must be.
ULN212 An extension names a cluster of its own | Leave kubeConfig empty; the cluster is that of the environment, else of KUBECONFIG.
ULN213 An assertion does not hold | It must be true before anything is deployed; the help says what its parameters are.
ULN301 No operator serves a type of resource | Install a provider that does, or use another type.
ULN302 Several operators want a resource equally | Settle it with the tag ulna.operator.
ULN303 A resource is pinned to an operator that does not exist | Correct the pin; the help lists the operators.
ULN304 The operator that a resource is pinned to does not want it | Pin it to another, or remove the pin.
ULN305 A resource is handed on without end | In a circle, more than four times, or to nobody; pin it to one of the operators.
ULN306 A type has no such API version | Use one that the help lists.
ULN307 A provider broke its contract | This is a bug in the provider; report it there.
ULN310 The provider of an environment's compute kind is missing or broken | Install it.
ULN311 A resource goes to an environment that is not known | Name the environment with -e, or use the parameter environment.
ULN312 The source of a connection is malformed | It must be the id of a resource, or a URL with a port.
ULN313 A connection leads nowhere | It must go to something with ports that is deployed with it.
ULN314 A variable comes from a secret store that cannot be read | Give the value another way.
ULN315 A runtimes block is for another compute kind | It is ignored where it does not apply, by design.
ULN316 A runtimes block is for a compute kind that does not exist | It is ignored; correct its name.
ULN317 A property means less on this compute kind | The message says what is different; the help has an alternative.
ULN318 A property is not supported on this compute kind | Use the alternative that the help names, or another environment.
ULN319 A part of the application model is not used on this kind | For your information.
ULN320 A container has no runtimes block for this compute kind | The kind process needs runtimes.process with a command.
ULN321 What a resource consists of hangs on a secret | Its structure must be known without it.
ULN322 A container has no command for this compute kind | Add runtimes.process.command.
ULN323 A recipe cannot be run | Recipes are not supported yet; set resourceProvisioning to manual.
ULN324 A secret stands in a command line | Every user of the machine can read it there; pass it in an environment variable.
ULN325 A resource waits for the end of something that never ends | Wait for its readiness instead.
ULN326 The application of a container is not there | Declare it: on this kind its containers share a network that goes with it.
ULN327 A secret store is malformed | The message says what is missing; the help says how it is written.
ULN328 Settings do not go together | The message names them; remove one, or correct it.
ULN329 A gateway is malformed | The message names the route or setting; the help says what goes there.
ULN330 A provider cannot be loaded | Install it again, update it, or remove it.
ULN331 The policy of an environment does not allow it | Do without, or deploy to another environment.
ULN332 An environment sets a property over what the file says | For your information: it is in the overlay of the environment.
ULN334 A gate leads nowhere | Its target and waitFor are ids of resources in the same deployment: api.id.
ULN336 A policy for drift does not exist | It is heal, report or ignore.
ULN337 A tag ulna.start says neither automatic nor explicit | Write 'explicit' for what is started only when it is asked for.
ULN338 An operator is given for a resource that is not there | The help lists the resources of the file.
ULN333 An overlay holds a secret | Those who deploy to the environment would not have its value; refer to one that the platform keeps.
ULN335 A manifest in runtimes.kubernetes.base cannot be used | The message says what is wrong with it; the help says what is allowed.
ULN339 Two gates contradict each other | Keep one, and say all of it there.
ULN340 The name of an image is malformed | Write it as REGISTRY/NAME:TAG, in lower case.
ULN341 A probe asks a port that is not declared | Correct the number, or declare the port.
ULN401 The state is from a newer Ulna | Upgrade Ulna. The file was left as it is.
ULN402 The state is damaged | Restore it from a backup, or choose another folder with --state.
ULN403 The state is locked by another program | Close the program that has it open.
ULN404 The state cannot be used | Check the permissions of the folder, or choose another with --state.
ULN405 The disk is full | Free some space and run the command again; what was done is recorded.
ULN406 Reading or writing the state failed | Check the disk and run the command again.
ULN407 The database that holds the state cannot be reached | Check its address, that the server runs, and the password in PGPASSWORD or ~/.pgpass.
ULN408 The connection to the database that holds the state was lost | Run the command again once the server is back; what was done is recorded.
ULN409 A password stands in a command line | Leave it out, and give it in PGPASSWORD or ~/.pgpass; or give the whole address in ULNA_STATE.
ULN410 An environment is in use by another Ulna | Wait until it has finished, or give it more time with --wait.
ULN411 The lease on an environment was lost | Another Ulna took over. Look at what it did, and run the command again.
ULN420 A resource is there already | Choose another name.
ULN421 A resource waits for something that is not there | Add it, or remove the dependency.
ULN422 An edit would make resources wait for each other | Remove one of the dependencies.
ULN423 An edit does not fit what is there | The message says why.
ULN424 There is no such resource | Check the name.
ULN425 A resource is being deleted | Wait until it is gone.
ULN501 There is no such environment | Check the name, or deploy a file that declares it.
ULN502 There are several environments | Name one with -e.
ULN503 A parameter is passed in a form that is not known | Write -p name=value, -p name=@file, -p @file.json or -p @file.bicepparam.
ULN504 A file of parameters cannot be read | The message says why.
ULN505 A file of parameters is malformed | The message says where.
ULN506 A parameter in a file has no value | Give it a 'value'.
ULN507 The text passed for a parameter is not of its type | The message says what is wanted.
ULN508 A deployment of that name came from another file | A deployment deletes what left its file, so two files may not share one by accident. Give this one a name of its own with --name, or pass --name with the old name to take it over.
ULN509 A name cannot be that of a deployment | Use letters, digits and - _ . ( ), 64 at most.
ULN510 A value cannot be worked out from what is deployed | The message says which function refused which value.
ULN511 There is no such deployment | Check the name; 'ulna status' lists them.
ULN512 An environment is still in use | Destroy what is deployed in it first.
ULN513 A name fits several resources | Write more of it.
ULN514 A resource has no logs | Processes and containers have; 'ulna status' lists them.
ULN515 There is no such resource in the state | 'ulna state list' shows what there is.
ULN516 A parameter file uses no template | Begin it with using 'main.bicep'.
ULN517 Another deployment owns a resource of that name | Two owners of one resource would fight. Give it another name, deploy to another environment, or destroy the other deployment.
ULN519 Nobody knows when the lines of a log were written | Use --tail; a run that saw them tells them with --since.
ULN520 A resource could not be looked at | The plan goes on without what is live of it; the message says why.
ULN530 Nothing of that address is declared | 'ulna graph FILE' lists the addresses of a file; --file names the file.
ULN531 A resource cannot be imported | Only what exists outside by itself can be taken over: import the parts of a container one by one.
ULN532 What should be imported cannot be taken over | It does not exist, is of another kind, or belongs to somebody else; the message says which.
ULN533 A resource of the file has something already | Destroy what it has first, or declare a second resource.
ULN540 A file turned into another deployment while it ran | End the run and begin another.
ULN550 A resource has no such command | Its commands are the Ulna.Core/commands that have it as their target.
ULN551 What is given to a command does not fit | The message names the input; the help says what it takes.
ULN552 A command cannot be carried out now | What it needs of its target is not there; the message says what.
ULN553 There is no such operation | 'ulna operations' lists the last ones.
ULN560 A request to a run is malformed | The message says what is missing.
ULN561 The dashboard cannot listen there | Name another port with --port, or 0 for any.
ULN562 A run has ended or does not answer | Begin another with 'ulna run'.
ULN563 Nobody runs the environment | Begin a run with 'ulna run FILE --detach', or name another environment with -e.
ULN564 A run in the background cannot be reached | What it said is in the file that the message names.
ULN565 A run serves no dashboard | Begin it again without --no-dashboard.
ULN570 The server cannot be reached | Check --server or ULNA_SERVER, and that 'ulna server' runs there.
ULN571 The server does not know the token | Give it in ULNA_TOKEN; the server says at its start where it is kept.
ULN572 No such deployment was submitted | 'ulna deployments' lists the last ones.
ULN573 What was submitted cannot be used | Submit it again with 'ulna submit'.
ULN574 A submitted deployment is not in a state for this | The message says in which it is.
ULN575 The server cannot listen there | Name another port with --port, or 0 for any.
ULN601 A plan cannot be read | The message says why.
ULN602 A file is no plan | Make one with 'ulna plan FILE --out plan.json'.
ULN603 A plan is from another version of Ulna | Plan again.
ULN604 A plan is for another environment | Name that with -e, or plan again.
ULN605 The state moved on since the plan was made | Plan again.
ULN606 Files changed since the plan was made | Plan again.
ULN607 A plan lacks the parameters it was made with | Pass them again; secure ones are not kept.
ULN608 Resources of a plan wait for each other | The message shows the circle. Remove one of the references.
ULN701 The command line is malformed | See --help.
ULN702 An option does not exist | See --help.
ULN703 Ulna has no such command | See ulna --help.
ULN704 Nobody is there to be asked | Pass --yes.
ULN705 There is nothing of that name in the environment | 'ulna status' lists what there is.
ULN706 A file is of the wrong kind for this command | The help names the right one.
ULN707 There is no such code | Codes look like BCP057, ULN605 or no-unused-params.
ULN710 The outside world said no | The message says what.
ULN711 A file or folder cannot be used | The message says why.
ULN712 A file is nested too deeply for this Python | Nest less.
ULN713 There is not enough memory | Close something, or use a larger machine.
ULN714 A file is not JSON | Is it the right file?
ULN715 A file cannot be written | The message says why.
ULN718 A library that comes with an extra is not installed | The help says how to install it.
ULN799 A bug in Ulna | Please report it with what it prints.
linter-configuration Which configuration holds for a file | Said where analyzers.core.verbose is true in bicepconfig.json, and to those who ask for information with -v.
"""
