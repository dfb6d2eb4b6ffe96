# SPDX-License-Identifier: MIT
"""The reference of the server's endpoints, from doc/reference/openapi.yaml."""


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def resolved(api, value):
    while "$ref" in value:
        target = api
        for name in value["$ref"].lstrip("#/").split("/"):
            target = target[name]
        value = target
    return value


def type_of(schema):
    if "enum" in schema:
        return ", ".join("`%s`" % value for value in schema["enum"])
    return {"boolean": "`1`", "array": "list"}.get(schema.get("type"), schema.get("type", "text")).replace("string", "text")


def parameters(api, operation):
    rows = [resolved(api, parameter) for parameter in operation.get("parameters", [])]
    if not rows:
        return ""
    lines = ["| parameter | values | meaning |", "|---|---|---|"]
    for row in rows:
        schema = row["schema"]
        default = "; default %s" % schema["default"] if schema.get("default") else ""
        required = " (required)" if row.get("required") else ""
        lines.append("| `%s`%s | %s%s | %s |" % (row["name"], required, type_of(schema), default, cell(row["description"])))
    return "\n".join(lines)


def answers(api, operation):
    lines = []
    for status, answer in operation["responses"].items():
        answer = resolved(api, answer)
        kinds = ", ".join("`%s`" % kind for kind in answer.get("content", {}))
        lines.append("- %s%s: %s" % (status, " " + kinds if kinds else "", cell(answer["description"])))
    return "\n".join(lines)


def page(api):
    """Returns the page of an interface that was read from YAML."""
    parts = ["# Endpoints of the server", api["info"]["description"].strip(),
             "The same description for programs, as OpenAPI %s: [openapi.yaml](openapi.yaml)." % api["openapi"]]
    for path, item in api["paths"].items():
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method == "parameters":
                continue
            operation = dict(operation, parameters=shared + operation.get("parameters", []))
            parts += ["## %s `%s`" % (method.upper(), path), operation["summary"] + ".", operation.get("description", "").strip(),
                      parameters(api, operation), answers(api, operation)]
    return "\n\n".join(part for part in parts if part) + "\n"
