"""The codes of the Bicep language that Ulna reports: one line each, its title and what to do."""

LANGUAGE = """
BCP001 A character has no meaning here | Remove it, or put it into a string.
BCP002 A comment has no end | Close it with */.
BCP003 A string has no end before the file's | Close it with a single quote.
BCP004 A string has no end on its line | Close it with a single quote, or write '''…''' for several lines.
BCP005 A file ends amid an escape sequence | Complete it, and close the string with a single quote.
BCP006 An escape sequence does not exist | Known are \\n \\r \\t \\\\ \\' \\$ and \\u{…}.
BCP007 A line starts no declaration | Declarations start with param, var, resource, module, output, type, func, import, extension, metadata or targetScope.
BCP008 A parameter's declaration goes on after its type | Write = and a default, or end the line.
BCP009 A value is missing | Write a literal, an array, an object, a name or a call.
BCP010 A number does not fit into 64 bits | Write a smaller one, or a string.
BCP012 A keyword is missing | The message names it.
BCP013 The name of a parameter is missing | Write param name type.
BCP015 The name of a variable is missing | Write var name = value.
BCP016 The name of an output is missing | Write output name type = value.
BCP017 The name of a resource is missing | Write resource name 'Namespace/type@version' = { … }.
BCP018 A character is missing | The message names it.
BCP019 A line goes on where it should end | Start a new line.
BCP020 The name of a function or property is missing after a dot | Write it.
BCP022 The name of a property is missing | Write a name, or a text in quotes.
BCP024 A name is longer than 255 characters | Shorten it.
BCP025 A property is given more than once in one object | Keep one of them.
BCP028 A name is declared more than once | Rename or remove all but one. Parameters, variables, resources, modules, types, functions and imports share one space of names; outputs have their own.
BCP029 The text after a resource's name is no resource type | Write 'Namespace/type@version', such as 'Applications.Core/containers@2023-10-01-preview'.
BCP032 A value must be known when the file is compiled | Write a literal.
BCP033 A value is of the wrong type | The message says which type is wanted, and which this is.
BCP034 An item of an array is of the wrong type | The message says which type is wanted.
BCP035 A required property is missing | Add it; the message lists them.
BCP036 A property is of the wrong type | The message says which type is wanted, and which this is.
BCP037 A property does not exist | Remove it, or correct its name; the message lists what can be there.
BCP040 The name of a property has a hole, and all names are known | Write the name out: the type lists every property, and none can be put together.
BCP044 An operator cannot be applied to its operand | ! is for bool, - for int.
BCP045 An operator cannot be applied to its operands | Arithmetic is for int, order for two ints or two strings, && and || for bool. Strings are joined by '${a}${b}'.
BCP046 A condition is no bool | Compare it with something: if (count > 0).
BCP047 The type of a resource has a hole | It must be a plain string, so that the compiler knows it.
BCP048 No way to call a function takes these arguments | The message says what it takes.
BCP049 An index is neither a string nor an int | Index an array by an int, an object by a string.
BCP050 A path is empty | Write the path of a file, relative to this one.
BCP051 A path is absolute | Write it relative to this file, so that the files can be moved together.
BCP052 A property does not exist | The type has none.
BCP053 A property does not exist | The help lists those that do.
BCP054 An object without properties is asked for one | It has none, whatever the index says.
BCP055 A property is asked of something that is no object | Index an array first; a string and a number have no properties.
BCP057 A name is not declared | Names are declared by param, var, resource, module, type, func and import, by loops and lambdas for what is inside them, and by the namespaces sys and az. Check the spelling, or declare it.
BCP059 Something that is no function is called | Leave out the parentheses.
BCP060 'variables' is no function here | Write the name of the variable.
BCP061 'parameters' is no function here | Write the name of the parameter.
BCP062 What a name stands for is itself wrong | Correct the declaration that is named; this then goes away.
BCP063 A function, namespace or type stands where a value is needed | Call the function, or take a member of the namespace.
BCP064 A hole of a string has more than one expression | Write one expression in the braces.
BCP065 A function can only be used in the default of a parameter | utcNow() and newGuid() give another value each time. As the default of a parameter the value is fixed once for a deployment.
BCP066 A function stands where it cannot be called | What is deployed is not known yet where a condition is decided. Read it in a property instead.
BCP067 A function is called on something that has none | Only namespaces, imports and resources have functions behind a dot.
BCP068 The type of a resource is missing | Write 'Namespace/type@version'.
BCP069 An ARM function is an operator here | Write the operator.
BCP070 An argument is of the wrong type | The message says what the parameter takes.
BCP071 A call has too many or too few arguments | The message says how many it takes.
BCP072 The default of a parameter refers to something that is no parameter | Use parameters and functions only.
BCP073 A property is set that only the platform sets | Remove it.
BCP074 An array is indexed by something that is no int | Write a number, or look the item up with filter() or first().
BCP075 An object is indexed by something that is no string | Write the property's name.
BCP076 Something that is no array and no object is indexed | Remove the index.
BCP077 A property that can only be set is read | Keep the value in a variable and use that twice.
BCP078 The property that tells the variants of a type apart is missing | Add it; the message lists its values.
BCP079 A declaration refers to itself | Remove the reference.
BCP080 Declarations refer to each other in a circle | The message shows the path. Cut it at one place, with a literal or a parameter.
BCP081 A resource type is not among the types given | Correct its name or version; if it exists all the same, its body is merely not checked. Only said where types are given: by --types, ULNA_TYPES, or the setting ulna.types of bicepconfig.json.
BCP082 A function is not declared, and another has nearly its name | Correct the name.
BCP083 A property does not exist, and another has nearly its name | Correct the name.
BCP084 A symbol is called as a namespace | Choose another name than az or sys.
BCP085 A path has a character that paths may not have | Rename the file.
BCP086 A path ends with a blank or a dot | Rename the file.
BCP087 An array or object is written out in a string | Give it a name by var, and write the name in the hole.
BCP088 A value is none of those allowed, and one is nearly it | Correct the value.
BCP089 A property does not exist, and another has nearly its name | Correct the name.
BCP090 The path of a module is missing | Write module name 'file.bicep' = { … }.
BCP091 A file cannot be read | The message says why. Paths are relative to the file they stand in.
BCP092 The path of a file has a hole | It must be a plain string, so that the compiler can read the file.
BCP094 A file refers to itself | Remove the reference.
BCP095 Files refer to each other in a circle | The message shows the path. Move what they share into a file of its own.
BCP096 The name of a module is missing | Write module name 'file.bicep' = { … }.
BCP097 The path of a module is missing | Write it in quotes.
BCP098 A path has a backslash | Separate folders by /.
BCP099 @allowed lists nothing | List at least one value, or remove it.
BCP100 'if' is no function here | Write condition ? a : b.
BCP101 'createArray' is no function here | Write [a, b].
BCP102 'createObject' is no function here | Write { key: value }.
BCP103 A double quote has no meaning | Write strings in single quotes.
BCP104 A file that is used has errors of its own | Mend them first; they are listed under its name.
BCP107 A namespace has no such function | Check the name and the namespace.
BCP108 A namespace has no such function, and another has nearly its name | Correct the name.
BCP109 A resource or module has no such function | Resources have list*() functions, and key vaults getSecret().
BCP110 A resource has no such function, and another has nearly its name | Correct the name.
BCP111 A path has a control code | Write a path of letters, digits and signs.
BCP112 The target scope is set more than once | Keep one.
BCP113 A module cannot be deployed from the tenant to this scope | Name the subscription too: resourceGroup(subscription, group).
BCP114 A module cannot be deployed from a management group to this scope | Name the subscription too: resourceGroup(subscription, group).
BCP115 A module cannot be deployed from a subscription to this scope | Deploy to it from a file whose targetScope is nearer to it.
BCP116 A module cannot be deployed from a resource group to this scope | Deploy to it from a file whose targetScope is nearer to it.
BCP117 An index is empty | Write a number or the name of a property.
BCP118 The value of a resource or module is missing | Write { … }, [for … : { … }] or if (…) { … }.
BCP120 A value must be known before the deployment starts | Of other resources only id, name, type and apiVersion are known then.
BCP121 Two resources have the same name | Give one of them another.
BCP122 Two modules have the same name and scope | Give one of them another, or none.
BCP123 The name of a decorator is missing | Write it after the @.
BCP124 A decorator stands on something of the wrong type | The message says what it is for.
BCP125 A decorator cannot stand on a parameter | Remove it.
BCP126 A decorator cannot stand on a variable | Remove it.
BCP127 A decorator cannot stand on a resource | Remove it.
BCP128 A decorator cannot stand on a module | Remove it.
BCP129 A decorator cannot stand on an output | Remove it.
BCP130 A decorator stands on a statement that has none | Remove it.
BCP132 A decorator stands before nothing | Write a declaration below it, or remove it.
BCP133 An escape sequence names a character that does not exist | The highest is \\u{10ffff}.
BCP134 A module cannot be deployed to this scope | Give it the scope that its file declares by targetScope.
BCP135 A resource is where its type cannot be | The message lists the scopes. Set targetScope, put it into a module with such a scope, or name what it extends by 'scope'.
BCP137 A loop goes over something that is no array | For an object, loop over items(x).
BCP138 A loop stands where none can | A loop can be a whole resource, module, variable or output, or a property of a resource or module. map() goes everywhere.
BCP139 A resource has another scope than its file | Put it into a module, and give the module that scope.
BCP140 A multi-line string has no end | Close it with three quotes.
BCP141 A decorator is no call | Write @name(…).
BCP142 A loop of properties stands inside another | Use map() for the inner one.
BCP143 A loop is the value of a property whose name has holes | Give the property a plain name.
BCP144 A whole collection is used inside a loop | Pick one item by an index in brackets.
BCP145 An output or metadata is declared more than once | Rename or remove all but one.
BCP147 A decorator for parameters stands before nothing | Write a param below it, or remove it.
BCP149 A decorator for resources stands before nothing | Write a resource below it, or remove it.
BCP152 A function is no decorator | Remove it.
BCP153 A decorator for resources and modules stands before nothing | Write one of them below it, or remove it.
BCP154 A batch is smaller than one | Write a number of 1 or more.
BCP155 @batchSize stands on something that is not looped | Remove it, or loop.
BCP156 The type of a nested resource is malformed | Write only the last segment, 'subtype' or 'subtype@version'.
BCP157 The type of a nested resource is not known, for that of the resource around it is wrong | Correct the type of the outer one.
BCP158 :: is asked of something that is no resource | Only resources have nested resources.
BCP159 A resource has no such nested resource | The help lists those it has.
BCP160 A resource is nested in one that is looped | Declare it beside, with parent.
BCP162 The name of a loop's item is missing | Write [for item in items: …].
BCP164 A nested resource has a scope property | Remove it: it is where the resource around it is.
BCP165 A child belongs to a resource that is elsewhere | Put it into a module, and give the module the scope of its parent.
BCP166 A decorator stands more than once on one thing | Keep one.
BCP167 The body of a loop of resources is missing | Write { … }, or if (…) { … }.
BCP168 A length is negative | Write 0 or more.
BCP169 A name has not as many parts as its type | Give one part for each part of the type, with slashes between them; or use parent.
BCP170 The name of a child has its parent's name in front | Give the last part of the name only.
BCP173 A property of an existing resource is set | Remove it, or remove existing to deploy the resource.
BCP174 A resource type holds /providers/ | Nothing is known of such types. Name the resource that this one extends by 'scope', and write its own type.
BCP176 'any()' hides what must be known | Name the resource directly.
BCP177 A condition must be known before the deployment starts | Of other resources only id, name, type and apiVersion are known then.
BCP178 What is looped over must be known before the deployment starts | Loop over something that does not depend on a resource.
BCP179 The copies of a loop have the same name | Use the loop's variable in the name.
BCP180 getSecret() stands where a secret could be seen | It can only be the whole value of a secure parameter of a module.
BCP181 What a function is given must be known before the deployment starts | reference() and the list functions are asked of the platform by it. Of other resources only id, name, type and apiVersion are known then.
BCP182 The body of a variable's loop must be known before the deployment starts | Loop where the variable is used.
BCP183 The parameters of a module are no object literal | Write them out in braces: params: { … }.
BCP184 A file to load is too large | Load it when the deployment runs, or split it.
BCP185 A file is in another encoding than the one named | It is read as it says itself.
BCP186 A text is no well-formed JSON | Correct it.
BCP187 A property is not in the types, and may be right all the same | Check its spelling. If the types are behind, silence the line: #disable-next-line BCP187.
BCP188 An ARM template that is used has errors | Correct it; the message says what is wrong.
BCP189 A reference is of a kind that does not exist | Write a path, or a reference that begins with br:, ts: or git:.
BCP190 A module from a registry is not in the cache | Run 'ulna restore' for the file, or the command again without --no-restore.
BCP192 A module from a registry could not be fetched | The message says why.
BCP193 A reference to a registry is malformed | Write br:HOST/PATH:TAG, br:HOST/PATH@sha256:… or br/ALIAS:PATH:TAG.
BCP194 A reference to a template spec is malformed | Write ts:SUBSCRIPTION/GROUP/NAME:VERSION or ts/ALIAS:NAME:VERSION.
BCP195 A part of the path in a reference to a registry is malformed | Use lower-case letters and digits, with single . _ or - between them.
BCP196 A reference to a registry has no tag and no digest | Add :TAG or @sha256:….
BCP197 A tag is too long | Tags have 128 characters at most.
BCP198 A tag is malformed | It has letters, digits, . _ and -, and begins with none of . and -.
BCP199 The path in a reference to a registry is too long | Paths have 255 characters at most.
BCP200 The name of a registry is too long | It has 255 characters at most.
BCP201 The name of an extension is missing, or where it is | Write extension name, or extension 'reference' as name.
BCP202 The name of an extension is missing | Write it.
BCP204 An extension is not known | Check the name, or add it to 'extensions' of bicepconfig.json. radius, ulna, az and kubernetes are always there.
BCP205 An extension takes no configuration | Remove it.
BCP206 An extension must be configured | Write 'with { … }' after it; the message says what it needs.
BCP207 An extension that a file can have once is declared again | Keep one of the two.
BCP208 A resource type names a namespace that does not exist | Leave it out, or write az:.
BCP209 An extension has no such type | Correct the type, or name another extension before the colon.
BCP211 The alias of a registry is malformed | Aliases have letters, digits, - and _.
BCP212 There is no such alias for template specs | Define it under moduleAliases.ts of bicepconfig.json.
BCP213 There is no such alias for registries | Define it under moduleAliases.br of bicepconfig.json.
BCP214 An alias for template specs has no subscription | Add 'subscription' to it in bicepconfig.json.
BCP215 An alias for template specs has no resource group | Add 'resourceGroup' to it in bicepconfig.json.
BCP216 An alias for registries has no registry | Add 'registry' to it in bicepconfig.json.
BCP217 The subscription of a template spec is no id | It is a GUID.
BCP218 The name of a resource group is too long | It has 90 characters at most.
BCP219 The name of a resource group is malformed | Use letters, digits and - _ . ( ).
BCP220 The name of a template spec is too long | It has 90 characters at most.
BCP221 The name of a template spec is malformed | Use letters, digits and - _ . ( ).
BCP222 The version of a template spec is too long | It has 90 characters at most.
BCP223 The version of a template spec is malformed | Use letters, digits and - _ . ( ).
BCP224 A digest is malformed | It is sha256: and 64 lower-case hexadecimal digits.
BCP225 What tells an object apart is not known yet | The rest of the object is not checked. Write the text itself, for checks and completion.
BCP226 A pragma names no code | Write the codes to silence after it.
BCP227 A parameter is a resource of an extension | Take its id, or what is needed of it, as a string.
BCP229 A parameter is named as the parent of a resource | Declare the resource with 'existing', and name that.
BCP230 A module has a parameter of a resource type that is not among the types given | Correct its name or version there.
BCP231 A resource stands as a parameter or output, which is an experiment | Set experimentalFeaturesEnabled.resourceTypedParamsAndOutputs in bicepconfig.json.
BCP234 A function or operator will fail | The message says why; the operands are known, so this is certain.
BCP235 A path into a loaded file leads nowhere | Check the path and the file.
BCP236 A comma or a new line is missing between items | Write one.
BCP237 A comma is missing between the arguments of a call | Write one; a line end does not separate them.
BCP238 A comma stands at the end of a line | Remove it: the line end separates.
BCP239 The name of a variable has a meaning of its own in templates | Choose another name.
BCP240 The parent of a resource is an expression | Name the resource directly.
BCP241 A function is deprecated | Use what replaces it.
BCP242 A lambda stands where none can | A lambda can only be an argument of a function.
BCP243 Parentheses hold none or several expressions | Write exactly one.
BCP245 A resource type can only be read | Write 'existing' before '=': it is never deployed.
BCP246 A resource type can only be read where this one would be deployed | Write 'existing' before '=', or deploy it to one of the scopes listed.
BCP247 A resource is chosen by a lambda's variable | Loop over the resources instead.
BCP248 A function asks the platform for what a lambda is given | Use a loop of resources or an output of a module instead.
BCP249 A loop has more or fewer than two variables in parentheses | Write (item, index), or item alone.
BCP256 A parameter file uses a file without a path | Write using 'main.bicep'.
BCP257 The path of a file is missing | Write it in quotes, such as 'main.bicep'.
BCP258 Parameters have no value | Assign them in the parameter file.
BCP259 A parameter file assigns what the template does not declare | Remove it, or correct the name.
BCP261 A parameter file uses nothing | Begin it with using 'main.bicep'.
BCP262 There is more than one using statement | Keep one.
BCP264 Several extensions have a resource type | Put the name of one in front, as in 'garden:plant@v1'.
BCP265 A symbol hides a function of the same name | Write the namespace before the function: az.resourceGroup().
BCP266 The name of metadata is missing | Write metadata name = value.
BCP268 A metadata name begins with an underscore | Such names are reserved.
BCP269 A decorator cannot stand on metadata | Remove it.
BCP271 bicepconfig.json is not valid JSON | Comments and trailing commas are fine; the message says what is not.
BCP272 bicepconfig.json cannot be read | The message says why.
BCP275 A folder stands where a file is needed | Name a file in it.
BCP276 A parameter file is used as a template | Name the template after using; write extends for what another parameter file assigns.
BCP277 A module names a parameter file | Name a Bicep file or a template.
BCP278 A parameter file refers to itself | Name the template that it is for.
BCP279 A type is missing | Write string, int, bool, object, array, or a type of your own.
BCP285 A type comes to no literal | - is for numbers, ! for true and false.
BCP286 A member of a union does not fit the others | The members of a discriminated union are objects.
BCP287 A value stands where a type is needed | Write a type; types are declared by type name = ….
BCP288 A type stands where a value is needed | Write a value.
BCP289 A type is no type | Write the type, and ? after it if null may stand for it.
BCP292 A decorator for parameters, outputs and types stands before nothing | Write one of them below it, or remove it.
BCP293 A member of a union is no literal | Unions are of literals, or, with @discriminator, of objects.
BCP294 The members of a union are of several kinds | Use strings only, or numbers only.
BCP295 A decorator narrows a type that lists its values | Remove it, and list the values in the type.
BCP296 The name of a property of a type has a hole | Write a plain name.
BCP297 A decorator cannot stand on a type or a member of one | Remove it.
BCP298 A type requires itself | Make the member optional, by ?, or an array.
BCP299 Types require each other in a circle | Make one of the members optional, by ?, or an array.
BCP300 A member of a union is missing | Write it on the line of the |, or remove the |.
BCP301 The name of a type is a word of the language | Choose another name.
BCP302 A name is no type | The help lists the types.
BCP303 The reference of an extension has a hole | It must be a plain string, so that the compiler can read its types.
BCP305 The declaration of an extension goes on in no way there is | After its name come with { … } and as name.
BCP306 A namespace stands where a type is needed | Take a type of it: sys.string.
BCP307 A resource whose name is not known yet is asked for more than its name | Name it by what is known when the deployment starts, or read it in a module that is given its name.
BCP308 A decorator narrows a type that is declared elsewhere | Put the decorator before that declaration.
BCP309 An array is flattened that has more in it than arrays | Take out what is no array, or write [item].
BCP311 An array has no item of this number | Count from 0.
BCP315 An object type says twice what other properties it may have | Keep one *: line.
BCP316 A sealed type says what other properties it may have | Remove @sealed() or the *: line.
BCP317 The name of a property of a type is missing | Write a name, a text in quotes, or * for all others.
BCP318 A value may be null when the deployment runs | A resource with a condition may not be there. Use .? to get null instead, ?? for a default, or ! if you know better.
BCP319 A type of a template refers to a definition that is not there | Correct the $ref in the template, or build it again.
BCP321 A value may be null where it must not be | Give a default with ??, or use ! if you know better.
BCP322 A function is called by .? | Write a plain dot: what can be called is known.
BCP323 [?] is used on a collection of resources or modules | Write […]: how many there are is known.
BCP325 The name of a type is missing | Write type name = ….
BCP326 A parameter that may be null has a default | Remove the default or the ?.
BCP327 A value is greater than its type or @maxValue() allows | Change the value or the bound.
BCP328 A value is less than its type or @minValue() allows | Change the value or the bound.
BCP329 A number may be less than its type allows | Narrow it, by @minValue() or max(), or silence the line if you know that it is not.
BCP330 A number may be greater than its type allows | Narrow it, by @maxValue() or min(), or silence the line if you know that it is not.
BCP331 The least allowed is more than the most | Change one of the two decorators.
BCP332 A text or array is longer than its type or @maxLength() allows | Change the value or the bound.
BCP333 A text or array is shorter than its type or @minLength() allows | Change the value or the bound.
BCP334 A text or array may be shorter than its type allows | Narrow it by @minLength(), or silence the line if you know that it is not.
BCP335 A text or array may be longer than its type allows | Narrow it by @maxLength() or take(), or silence the line if you know that it is not.
BCP337 A parameter file has a statement that belongs into a template | A parameter file has using, extends, param, var, type, import, extension and extensionConfig.
BCP338 A value of a parameter file cannot be evaluated | The message says why.
BCP339 An array is indexed by a negative number | Count from 0, or from the end by [^1].
BCP340 A file is no well-formed YAML | Correct it.
BCP341 A function uses what only run time knows | Pass the value as an argument.
BCP344 The name of an assertion is missing | Write assert name = condition.
BCP345 A test names what is no Bicep file | Name the file itself.
BCP346 The name of a test is missing | Write it.
BCP347 The path of a tested file is missing | Write it in quotes.
BCP348 A test stands in a file, which is an experiment | Set experimentalFeaturesEnabled.testFramework in bicepconfig.json.
BCP349 An assertion stands in a file, which is an experiment | Set experimentalFeaturesEnabled.assertions in bicepconfig.json.
BCP350 An assertion is neither true nor false | Compare the value with something.
BCP351 A secret is taken from a vault for a part of a value | Give the secret to a parameter by itself.
BCP353 Names differ only in upper and lower case | Rename all but one: whoever deploys the template cannot tell them apart.
BCP354 What is imported is missing | Write import { name } from 'path', or import * as name from 'path'.
BCP355 The name of what is imported is missing | Write it.
BCP356 The name for what is imported is missing | Write import * as name from 'path'.
BCP358 The path of a tested file is empty | Write it in quotes.
BCP360 A file does not export what is imported | Put @export() before its declaration.
BCP361 A member of a type is exported | Declare its type at the top, and export that.
BCP362 One thing is imported under several names | Import it once.
BCP363 @discriminator stands on no union of objects | Remove it, or make the type such a union.
BCP364 A member of a discriminated union lacks its discriminator | It must be a required property with one text as its type.
BCP365 Two members of a discriminated union have the same discriminator | Give each another text.
BCP366 A discriminator is not the property that tells the members apart | Name the property by which the union is discriminated.
BCP368 A parameter that is a secret is used again | Its value is known only when the deployment runs. Use it in the template.
BCP369 A parameter that has its default is used again | The template decides what it is. Assign a value.
BCP372 What is exported leads to something that cannot be exported | Parameters, resources and modules belong to one deployment.
BCP373 What is imported by this name is several things | Rename one of them in the template, and build it again.
BCP374 A template exports two things of one name, and all of it is imported | Import what is needed by name: import { name } from 'path'.
BCP375 A quoted name of an import needs an alias | Write 'name' as something.
BCP383 A type that takes none is given others | Leave out the angle brackets.
BCP384 A type that is taken from resource types lacks one | Write resourceInput<'Namespace/type@version'>.
BCP386 A decorator narrows a type that is taken from a resource type | Remove it.
BCP387 A type is indexed by a negative number | Items are counted from 0.
BCP388 A type that is no tuple has no numbered items | Use [*] for the items of an array.
BCP389 An object type says nothing of other properties | Name a property, or add *: to the type.
BCP390 A type has no one type of items | [*] is for array types, as string[].
BCP391 A part is taken of a type that has no name | Declare the type by itself, and take the part of that.
BCP392 A module takes a type from something that is no resource type | Correct its metadata, or build it again.
BCP393 A module takes a type from a part that no resource type can have | Correct its metadata, or build it again.
BCP394 A resource type is used whole | Take a part of it, as .properties.
BCP396 The types of an extension cannot be read | Build them again, or fetch them again by ulna restore.
BCP397 An extension that every file should have is not configured | Add it to extensions in bicepconfig.json, or remove it from implicitExtensions.
BCP398 An extension is configured as built in, and none of this name comes with Ulna | Write where its types are instead of builtin:.
BCP401 Something is spread where all must be plain to see | Write the properties out; spread inside one of them.
BCP402 What is spread is of the wrong kind | Spread arrays in arrays and objects in objects.
BCP403 What is spread in an array has items of another type | Spread an array of the same type, or change the items by map().
BCP404 A parameter file extends a file without a path | Write extends 'base.bicepparam'.
BCP405 There is more than one extends statement | Keep one.
BCP407 The extension microsoftGraph is named as if it were built in | Take its types from their registry, by a reference.
BCP408 'nameof' is asked the name of something that has none | Give it a symbol or a property.
BCP409 resource<…> does not say which side it means | Write resourceInput<…> for what a resource takes, resourceOutput<…> for what it gives.
BCP410 A number is divided by 0 | Divide by something else.
BCP414 Something that is no array is counted from its end | Leave out the ^.
BCP415 What is counted from the end is no number | Write [^1] for the last item.
BCP416 A text is of another form than its type wants | The message shows the form, as a regular expression.
BCP417 Something is spread beside a loop of properties | Write the loop with map().
BCP418 An extension stands where a value is needed | An extension is used by the types of resources.
BCP419 The namespace sys stands among the implicit extensions | Remove it there: it is always known.
BCP420 A scope is one of several | Name one scope, and choose its arguments instead: resourceGroup(inner ? 'a' : 'b').
BCP421 A module of a local deployment has secret outputs | Remove @secure() from them, or do not output them.
BCP422 A function is called on a resource that may not be there | The resource has a condition. Say that it is there with !, or call the function under the same condition.
BCP423 An extension that is given by a path has no name | Write as name after it.
BCP424 Extensions that a template leaves open are not configured | Configure them in the parameter file: extensionConfig name with { … }.
BCP425 A parameter file configures what is no extension of its template | Remove it, or correct the name.
BCP426 The secret output of a module is read through a variable or lambda | Write module.outputs.name where it is used.
BCP427 An environment variable is not set, and there is no default | Set it, or write readEnvironmentVariable('NAME', 'default').
BCP428 A folder to list does not exist | Paths are relative to the file they stand in.
BCP430 A file stands where a folder is needed | Name a folder.
BCP431 An extension of a module is configured by something that is not written out | Write { … }, or extension.config for that of an extension of this file.
BCP433 An existing resource that is named at run time depends on others | Remove dependsOn: what its name is taken from is waited for anyway.
BCP434 A resource depends on an existing one that is named at run time | Depend on what that name is taken from.
BCP435 A parameter file says how to deploy, which is an experiment | Set experimentalFeaturesEnabled.deployCommands in bicepconfig.json.
BCP436 A using statement goes on in no way there is | After its path comes with { … }, or nothing.
BCP437 'base' is used in a file that extends none | Write extends 'base.bicepparam', or assign the value.
BCP438 'base' is declared in a parameter file | Choose another name: it stands for what the extended file assigns.
BCP441 A resource type that can only be deployed is asked for | Deploy the resource here, or take what is needed as a parameter.
BCP443 A parameter file does not say how to deploy | With the experiment deployCommands, write with { … } after the path.
BCP444 An extension is configured with what only run time knows | Use parameters and literals, or configure it where the file is used as a module.
BCP445 @nullIfNotFound stands on a resource that is deployed | Write 'existing' before '=', or remove it.
BCP452 A parameter file imports what asks something of the deployment | Import what depends on its arguments alone.
BCP453 A configuration that is extended cannot be read | Check the path in extends.
BCP454 A configuration extends itself | Remove one extends of the circle.
BCP455 A chain of configurations that extend each other is too long | Merge some of them; 64 are allowed.
"""
