using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.CommandLine.Contexts;

/// <summary>A named set of connection settings, in the JSON format of the <c>nats</c> tool.</summary>
/// <remarks>Members that this program does not know are kept when the context is saved.
/// Source: the contexts of the nats command.</remarks>
internal sealed class NatsContext
{
    private static readonly string[] s_unsupported = ["socks_proxy", "nsc", "windows_cert_store"];

    private readonly JsonObject _members;

    private NatsContext(string name, JsonObject members) => (Name, _members) = (name, members);

    internal string Name { get; }

    internal string? Description => this["description"];

    internal string? Url => this["url"];

    internal string? User => this["user"];

    internal string? Password => this["password"];

    internal string? Token => this["token"];

    internal string? Credentials => PathOf("creds");

    internal string? Nkey => PathOf("nkey");

    internal string? UserJwt => this["user_jwt"];

    internal string? UserSeed => this["user_seed"];

    internal string? Certificate => PathOf("cert");

    internal string? Key => PathOf("key");

    internal string? Authority => PathOf("ca");

    internal bool TlsFirst => _members["tls_first"] is JsonValue value && value.TryGetValue(out bool first) && first;

    internal string? Domain => this["jetstream_domain"];

    internal string? ApiPrefix => this["jetstream_api_prefix"];

    internal string? InboxPrefix => this["inbox_prefix"];

    /// <summary>Whether it contains the user's login.</summary>
    internal bool HasUser => (User ?? Token ?? Credentials ?? Nkey ?? UserJwt) is not null;

    /// <summary>A text member; null where it is absent or empty. Setting null makes it empty, as <c>nats</c> writes it.</summary>
    internal string? this[string member]
    {
        get => _members[member] is JsonValue value && value.TryGetValue(out string? text) && text.Length > 0 ? text : null;
        set => _members[member] = JsonValue.Create(value ?? "");
    }

    /// <summary>An empty context.</summary>
    internal static NatsContext Create(string name) => new(name, []);

    /// <summary>Reads a context.</summary>
    /// <exception cref="ContextException">It is not a JSON object.</exception>
    internal static NatsContext Parse(string name, string json)
    {
        try
        {
            return JsonNode.Parse(json) is JsonObject members ? new NatsContext(name, members) : throw new ContextException($"Context '{name}' is not a JSON object.");
        }
        catch (JsonException error)
        {
            throw new ContextException($"Context '{name}' is not valid JSON: {error.Message}", error);
        }
    }

    internal void SetTlsFirst(bool first) => _members["tls_first"] = JsonValue.Create(first);

    /// <summary>The context as it is stored.</summary>
    internal string Write()
    {
        using var buffer = new MemoryStream();
        using (var writer = new Utf8JsonWriter(buffer, new JsonWriterOptions { Indented = true }))
            _members.WriteTo(writer);
        return System.Text.Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length) + "\n";
    }

    /// <summary>Rejects settings that this program does not support.</summary>
    /// <exception cref="ContextException">There is one.</exception>
    internal void RequireSupported()
    {
        if (Array.Find(s_unsupported, member => this[member] is not null) is { } member)
            throw new ContextException($"Context '{Name}' sets {member}, which is not supported. Supported: url, user, password, token, creds, nkey, user_jwt, user_seed, cert, key, ca, tls_first, jetstream_domain, jetstream_api_prefix and inbox_prefix.");
    }

    // As in the nats tool: a home folder, environment variables, and the schemes that name a location.
    private string? PathOf(string member)
    {
        if (this[member] is not { } path) return null;
        if (path.StartsWith("file://", StringComparison.Ordinal)) path = path["file://".Length..];
        if (path.Contains("://", StringComparison.Ordinal) || path.StartsWith("data:", StringComparison.Ordinal))
            throw new ContextException($"Context '{Name}' takes {member} from '{path.Split(':')[0]}:', which is not supported. Use the path of a file.");
        path = EnvironmentReferences.Expand(path);
        return path.StartsWith("~/", StringComparison.Ordinal) ? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), path[2..]) : path;
    }
}
