using System.Text.Json;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>The options of a request to one of the system account's services: a JSON object, or empty.</summary>
/// <remarks>As in nats-server, names are case-insensitive and unknown ones are ignored.</remarks>
internal sealed class SystemQuery
{
    /// <summary>Maximum length of the object in bytes.</summary>
    public const int MaxBytes = 64 * 1024;

    private readonly Dictionary<string, JsonElement> _members = new(StringComparer.OrdinalIgnoreCase);

    private SystemQuery()
    {
    }

    /// <summary>Reads the options.</summary>
    /// <param name="text">The payload of a request.</param>
    /// <exception cref="FormatException">The payload is not a JSON object; the message names the problem.</exception>
    public static SystemQuery Parse(ReadOnlyMemory<byte> text)
    {
        var query = new SystemQuery();
        if (text.IsEmpty) return query;
        if (text.Length > MaxBytes) throw new FormatException($"Options of {text.Length} bytes exceed the limit of {MaxBytes}.");
        try
        {
            using var document = JsonDocument.Parse(text);
            if (document.RootElement.ValueKind == JsonValueKind.Null) return query;
            if (document.RootElement.ValueKind != JsonValueKind.Object) throw new FormatException("The options must be a JSON object.");
            foreach (var member in document.RootElement.EnumerateObject())
                if (member.Value.ValueKind != JsonValueKind.Null) query._members[member.Name] = member.Value.Clone();
            return query;
        }
        catch (JsonException error)
        {
            throw new FormatException($"The options are not valid JSON: {error.Message}", error);
        }
        catch (InvalidOperationException error)
        {
            throw new FormatException("The name of an option is not valid Unicode.", error);
        }
    }

    /// <summary>Whether the request is for this server.</summary>
    /// <exception cref="FormatException">An option has the wrong type.</exception>
    public bool IsFor(SessionContext context)
    {
        var info = context.Info;
        var (name, host, cluster, isExact) = (Text("server_name"), Text("host"), Text("cluster"), Flag("exact_match"));
        if (!Fits(name, info.ServerName, isExact) || !Fits(host, info.Host, isExact) || cluster.Length > 0) return false;
        if (Texts("tags").Any(tag => !context.Options.ServerTags.Contains(tag, StringComparer.OrdinalIgnoreCase))) return false;
        return Text("domain") is not { Length: > 0 } domain || domain == info.Domain;
    }

    /// <summary>Whether an option is present.</summary>
    public bool Has(string name) => _members.ContainsKey(name);

    /// <summary>A string; empty when it is absent.</summary>
    /// <exception cref="FormatException">It is not a string.</exception>
    public string Text(string name) => Find(name) is not { } value ? "" : value.ValueKind == JsonValueKind.String ? Read(name, value) : throw Wrong(name, "a string");

    /// <summary>A boolean; false when it is absent.</summary>
    /// <exception cref="FormatException">It is neither true nor false.</exception>
    public bool Flag(string name) => Find(name) is { } value && (value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : throw Wrong(name, "true or false"));

    /// <summary>An integer; zero when it is absent.</summary>
    /// <exception cref="FormatException">It is not a 32-bit integer.</exception>
    public int Integer(string name) => Find(name) is not { } value ? 0 : value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out var number) ? number : throw Wrong(name, "an integer");

    /// <summary>A connection id; zero when it is absent.</summary>
    /// <exception cref="FormatException">It is negative or not an integer.</exception>
    public ulong Unsigned(string name)
        => Find(name) is not { } value ? 0 : value.ValueKind == JsonValueKind.Number && value.TryGetUInt64(out var number) ? number : throw Wrong(name, "an integer that is not negative");

    /// <summary>An array of strings; empty when it is absent.</summary>
    /// <exception cref="FormatException">It is not an array of strings.</exception>
    public IReadOnlyList<string> Texts(string name)
    {
        if (Find(name) is not { } value) return [];
        if (value.ValueKind != JsonValueKind.Array || value.EnumerateArray().Any(static one => one.ValueKind != JsonValueKind.String)) throw Wrong(name, "an array of strings");
        return [.. value.EnumerateArray().Select(one => Read(name, one))];
    }

    private JsonElement? Find(string name) => _members.TryGetValue(name, out var value) ? value : null;

    private static string Read(string name, JsonElement text)
    {
        try
        {
            return text.GetString()!;
        }
        catch (InvalidOperationException error)
        {
            // JSON may contain half of a surrogate pair.
            throw new FormatException($"{name} is not valid Unicode.", error);
        }
    }

    private static bool Fits(string wanted, string actual, bool isExact)
        => wanted.Length == 0 || (isExact ? actual == wanted : actual.Contains(wanted, StringComparison.Ordinal));

    private static FormatException Wrong(string name, string expected) => new($"{name} must be {expected}.");
}
