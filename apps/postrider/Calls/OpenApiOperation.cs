using System.Text;
using System.Text.Json.Nodes;

namespace Postrider.CommandLine.Calls;

/// <summary>One operation of an OpenAPI document.</summary>
/// <param name="contract">The document.</param>
/// <param name="path">The path, with its parameters in braces.</param>
/// <param name="method">The method, in capitals.</param>
/// <param name="definition">The operation's object.</param>
/// <param name="shared">The parameters of the path.</param>
internal sealed class OpenApiOperation(OpenApiContract contract, string path, string method, JsonObject definition, JsonArray? shared)
{
    /// <summary>The name by which it is called: the operation's id, or method and path if it has none.</summary>
    internal string Name => definition["operationId"]?.GetValue<string>() ?? $"{method} {path}";

    /// <summary>Method and path.</summary>
    internal string Route => $"{method} {path}";

    /// <summary>The document's description of the operation.</summary>
    internal string Summary => definition["summary"]?.GetValue<string>() ?? definition["description"]?.GetValue<string>() ?? "";

    /// <summary>The names of its parameters, followed by the members of the body.</summary>
    internal IEnumerable<(string Name, string Place, bool Required)> Parameters
        => Declared().Select(static parameter => (parameter.Name, parameter.Place, parameter.Required))
            .Concat(Members().Select(member => (member.Key, "body", IsRequiredMember(member.Key))));

    /// <summary>Creates the request.</summary>
    /// <param name="server">The address before the path.</param>
    /// <param name="arguments">The given arguments; all of them have to be used.</param>
    /// <exception cref="CallException">A parameter is missing or unknown.</exception>
    internal HttpRequestMessage Request(Uri server, CallArguments arguments)
    {
        var (target, query) = (path, new StringBuilder());
        var request = new HttpRequestMessage { Method = new HttpMethod(method) };
        foreach (var parameter in Declared())
        {
            var value = arguments.Take(parameter.Name);
            if (value is null)
            {
                if (parameter.Required) throw new CallException($"'{parameter.Name}' is missing, which {Name} needs in its {parameter.Place}. Give it as {parameter.Name}=VALUE.");
                continue;
            }

            switch (parameter.Place)
            {
                case "path":
                    target = target.Replace($"{{{parameter.Name}}}", Uri.EscapeDataString(value), StringComparison.Ordinal);
                    break;
                case "query":
                    query.Append(query.Length == 0 ? '?' : '&').Append(Uri.EscapeDataString(parameter.Name)).Append('=').Append(Uri.EscapeDataString(value));
                    break;
                case "header":
                    request.Headers.TryAddWithoutValidation(parameter.Name, value);
                    break;
                default:
                    throw new CallException($"'{parameter.Name}' is a {parameter.Place} parameter, which this command does not send.");
            }
        }

        request.Content = Content(arguments);
        request.RequestUri = new Uri($"{server.AbsoluteUri.TrimEnd('/')}{target}{query}");
        if (arguments.Unused.FirstOrDefault() is { } unknown)
            throw new CallException($"{Name} has no parameter '{unknown}'. Parameters: {string.Join(", ", Parameters.Select(static parameter => parameter.Name))}.");
        return request;
    }

    private StringContent? Content(CallArguments arguments)
    {
        if (contract.Follow(definition["requestBody"]) is not JsonObject body || body["content"] is not JsonObject forms)
            return arguments.Body is null ? null : throw new CallException($"{Name} does not accept a body.");
        var type = forms.Select(static form => form.Key).FirstOrDefault(static type => type.Contains("json", StringComparison.OrdinalIgnoreCase))
            ?? throw new CallException($"{Name} does not accept JSON, only {string.Join(", ", forms.Select(static form => form.Key))}.");
        if (arguments.Body is { } given) return new StringContent(given, Encoding.UTF8, type);
        var members = Members();
        var missing = members.Keys.Where(IsRequiredMember).ToHashSet(StringComparer.Ordinal);
        var made = arguments.TakeObject(name => members.TryGetValue(name, out var schema)
            ? contract.IsText(schema)
            : members.Count == 0 ? null : throw new CallException($"{Name} has no parameter '{name}'. Parameters: {string.Join(", ", Parameters.Select(static parameter => parameter.Name))}."));
        if (made is not null) missing.ExceptWith(made.Select(static member => member.Key));
        if (missing.Count > 0) throw new CallException($"'{missing.First()}' is missing, which {Name} needs in its body. Give it as {missing.First()}=VALUE.");
        if (made is null && body["required"]?.GetValue<bool>() == true)
            throw new CallException($"{Name} needs a body: give it with --body.");
        return made is null ? null : new StringContent(made.ToJsonString(), Encoding.UTF8, type);
    }

    private IEnumerable<(string Name, string Place, bool Required)> Declared()
        => (shared ?? []).Concat(definition["parameters"] as JsonArray ?? [])
            .Select(contract.Follow).OfType<JsonObject>()
            .Select(static parameter => (parameter["name"]!.GetValue<string>(), parameter["in"]!.GetValue<string>(), parameter["required"]?.GetValue<bool>() ?? false));

    private JsonObject? BodySchema()
        => contract.Follow((contract.Follow(definition["requestBody"])?["content"] as JsonObject)?
            .FirstOrDefault(static form => form.Key.Contains("json", StringComparison.OrdinalIgnoreCase)).Value?["schema"]) as JsonObject;

    private Dictionary<string, JsonNode?> Members()
        => (BodySchema()?["properties"] as JsonObject)?.ToDictionary(static member => member.Key, static member => member.Value, StringComparer.Ordinal) ?? [];

    private bool IsRequiredMember(string name) => (BodySchema()?["required"] as JsonArray)?.Any(one => one?.GetValue<string>() == name) == true;
}
