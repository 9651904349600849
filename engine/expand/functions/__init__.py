"""The run-time library: every function an ARM template expression may call.

In come evaluated arguments (or, for the special ones, arguments and the evaluator), out comes a value, or an
`EvaluationError` naming the function and the argument.
Files: signature.py what a function is · find.py by name · equality.py when two values are the same · text.py a value as text ·
dotnet.py format strings · reading.py members and indexes · then one a theme: strings, arrays, objects, numbers, logic, comparison,
conversions, lambdas, encoding, hashing, dates (calendar.py, duration.py), network, resources, scopes, azure
"""
