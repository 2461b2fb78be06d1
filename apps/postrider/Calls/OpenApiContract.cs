using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.CommandLine.Calls;

/// <summary>An OpenAPI document in JSON: the operations that can be called, and the server's address.</summary>
/// <remarks>Source: OpenAPI Specification 3.0 and 3.1.</remarks>
internal sealed class OpenApiContract
{
    // The longest permitted chain of references in a document; a cycle exceeds it.
    private const int MaxReferences = 32;

    // The documents of the largest public interfaces are smaller.
    private const int MaxBytes = 16 * 1024 * 1024;

    private static readonly string[] s_methods = ["get", "put", "post", "delete", "patch", "head", "options"];

    private readonly JsonObject _document;

    private OpenApiContract(JsonObject document) => _document = document;

    /// <summary>The title of the document.</summary>
    internal string Title => _document["info"]?["title"]?.GetValue<string>() ?? "The document";

    /// <summary>The operations, in the document's order.</summary>
    internal IEnumerable<OpenApiOperation> Operations
        => from item in _document["paths"] as JsonObject ?? []
           where item.Value is JsonObject
           from operation in (JsonObject)item.Value!
           where s_methods.Contains(operation.Key, StringComparer.Ordinal) && operation.Value is JsonObject
           select new OpenApiOperation(this, item.Key, operation.Key.ToUpperInvariant(), (JsonObject)operation.Value!, item.Value!["parameters"] as JsonArray);

    /// <summary>Reads a document from a file or over HTTP.</summary>
    /// <param name="place">The file or the address.</param>
    /// <param name="http">Fetches an address.</param>
    /// <param name="ct">Gives up.</param>
    /// <exception cref="CallException">The document cannot be read, or it is not an OpenAPI document in JSON.</exception>
    internal static async Task<OpenApiContract> ReadAsync(string place, HttpClient http, CancellationToken ct)
    {
        try
        {
            var text = IsAddress(place, out var address) ? await http.GetStringAsync(address, ct) : await File.ReadAllTextAsync(place, ct);
            return Parse(text, place);
        }
        catch (HttpRequestException failure)
        {
            throw new CallException($"The document at {place} cannot be read: {failure.Message}");
        }
    }

    /// <summary>Reads a document.</summary>
    /// <param name="text">JSON.</param>
    /// <param name="place">The document's source, for the messages.</param>
    internal static OpenApiContract Parse(string text, string place)
    {
        if (text.Length > MaxBytes) throw new CallException($"The document at {place} has {text.Length} characters, and at most {MaxBytes} are read.");
        try
        {
            return JsonNode.Parse(text) is JsonObject document && document["openapi"] is not null && document["paths"] is JsonObject
                ? new OpenApiContract(document)
                : throw new CallException($"The document at {place} is not an OpenAPI document: it needs 'openapi' and 'paths'.");
        }
        catch (JsonException wrong)
        {
            throw new CallException($"The document at {place} is not JSON: {wrong.Message}");
        }
    }

    /// <summary>The address that the paths are relative to.</summary>
    /// <param name="place">Where the document is from.</param>
    /// <param name="given">An address that was given explicitly; null if there was none.</param>
    /// <exception cref="CallException">Neither the document nor its own location contains an address.</exception>
    internal Uri Server(string place, string? given)
    {
        if (given is not null)
            return IsAddress(given, out var own) ? own : throw new CallException($"'{given}' is not an address such as http://localhost:5000.");
        var declared = (_document["servers"] as JsonArray)?.FirstOrDefault()?["url"]?.GetValue<string>();
        if (declared is not null && IsAddress(declared, out var server)) return server;
        if (IsAddress(place, out var document)) return new Uri(document, declared ?? "/");
        throw new CallException("The document does not say where its server is: use --url.");
    }

    /// <summary>Finds an operation by its id, by <c>Service/Operation</c>, by its path, or by method and path.</summary>
    /// <exception cref="CallException">No operation matches, or several have the path.</exception>
    internal OpenApiOperation Find(string name)
    {
        var all = Operations.ToArray();
        var found = all.Where(one => one.Name == name || one.Route == name).ToArray();
        if (found.Length == 0) found = [.. all.Where(one => one.Name == name.Replace('/', '_') || one.Route[(one.Route.IndexOf(' ', StringComparison.Ordinal) + 1)..].TrimStart('/') == name.TrimStart('/'))];
        return found.Length switch
        {
            1 => found[0],
            0 => throw new CallException($"{Title} has no operation '{name}'. Operations: {string.Join(", ", all.Select(static one => one.Name))}."),
            _ => throw new CallException($"'{name}' matches several operations: {string.Join(", ", found.Select(static one => one.Route))}."),
        };
    }

    /// <summary>Resolves a reference inside the document; any other node is returned unchanged.</summary>
    internal JsonNode? Follow(JsonNode? node)
    {
        for (var i = 0; i < MaxReferences; i++)
        {
            if (node is not JsonObject holder || holder["$ref"]?.GetValue<string>() is not ['#', '/', .. var pointer]) return node;
            node = pointer.Split('/').Aggregate((JsonNode?)_document, static (at, part) => (at as JsonObject)?[part.Replace("~1", "/", StringComparison.Ordinal).Replace("~0", "~", StringComparison.Ordinal)]);
        }

        throw new CallException($"{Title} has circular references.");
    }

    /// <summary>Whether a schema describes text; null if it does not say.</summary>
    internal bool? IsText(JsonNode? schema)
    {
        var types = Follow(schema)?["type"] switch
        {
            JsonArray several => several.Select(static one => one?.GetValue<string>()).Where(static one => one != "null").ToArray(),
            JsonValue one => [one.GetValue<string>()],
            _ => [],
        };
        return types.Length == 0 ? null : types.Contains("string", StringComparer.Ordinal) ? types.Length == 1 ? true : null : false;
    }

    private static bool IsAddress(string text, out Uri address)
        => Uri.TryCreate(text, UriKind.Absolute, out address!) && address.Scheme is "http" or "https";
}
