using System.Diagnostics.CodeAnalysis;
using System.Text.Json;

namespace Postrider.Credentials.Claims;

/// <summary>Reads the members of one JSON object of a token. A missing member is empty, 0 or false; one of another type is an error.</summary>
/// <param name="element">An object; undefined for a missing one.</param>
/// <param name="path">Its path, for messages.</param>
internal readonly struct ClaimsReader(JsonElement element, string path)
{
    private const long NanosecondsPerTick = 100;

    // The first second of the year 1 and the last one of the year 9999.
    private const long MinSeconds = -62_135_596_800;
    private const long MaxSeconds = 253_402_300_799;

    public bool IsEmpty => element.ValueKind != JsonValueKind.Object || !element.EnumerateObject().Any();

    public string? Text(string name)
    {
        if (!TryGet(name, out var value)) return null;
        return value.ValueKind == JsonValueKind.String ? value.GetString() : throw Wrong(name, "a text");
    }

    public bool Has(string name) => TryGet(name, out _);

    public bool IsText(string name, string text)
        => TryGet(name, out var value) && value.ValueKind == JsonValueKind.String && text.Equals(value.GetString(), StringComparison.OrdinalIgnoreCase);

    public long Number(string name)
    {
        if (!TryGet(name, out var value)) return 0;
        return value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out var number) ? number : throw Wrong(name, "a whole number");
    }

    /// <summary>A limit: null for none, which -1 represents. Any other negative number allows nothing.</summary>
    public long? Limit(string name) => Number(name) is var number and not -1 ? number : null;

    /// <summary>A limit for which any negative number represents none.</summary>
    public long? LimitUnlessNegative(string name) => Number(name) is var number and >= 0 ? number : null;

    public bool Flag(string name)
    {
        if (!TryGet(name, out var value)) return false;
        return value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : throw Wrong(name, "true or false");
    }

    public DateTimeOffset? Time(string name) => Number(name) is var seconds and not 0 ? ToTime(seconds) : null;

    public TimeSpan Nanoseconds(string name) => new(Number(name) / NanosecondsPerTick);

    public IReadOnlyList<string> Texts(string name)
    {
        var found = this;
        return Elements(name, JsonValueKind.Array).Select(value => value.ValueKind == JsonValueKind.String ? value.GetString()! : throw found.Wrong(name, "a list of texts")).ToArray();
    }

    /// <summary>A list of texts, or one text in which commas separate them.</summary>
    public IReadOnlyList<string> TextsOrList(string name)
        => TryGet(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()!.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            : Texts(name);

    public IReadOnlyList<T> Objects<T>(string name, Func<ClaimsReader, T> read)
    {
        var found = this;
        return Elements(name, JsonValueKind.Array).Select((value, i) => read(found.At($"{name}[{i}]", value))).ToArray();
    }

    /// <summary>The elements of a list, whatever they are.</summary>
    public IReadOnlyList<T> Any<T>(string name, Func<JsonElement, string, T> read)
    {
        var at = path;
        return Elements(name, JsonValueKind.Array).Select((value, i) => read(value, $"{at}.{name}[{i}]")).ToArray();
    }

    public IReadOnlyDictionary<string, T> Map<T>(string name, Func<ClaimsReader, string, T> read)
    {
        var map = new Dictionary<string, T>(StringComparer.Ordinal);
        if (Object(name) is not { } members) return map;
        foreach (var member in members.Names()) map[member] = read(members, member);
        return map;
    }

    public IReadOnlyDictionary<string, DateTimeOffset> Times(string name) => Map(name, static (members, key) => ToTime(members.Number(key)));

    /// <summary>An object; one without members when it is missing.</summary>
    public ClaimsReader ObjectOrEmpty(string name) => Object(name) ?? new ClaimsReader(default, path);

    /// <summary>An object; null when it is missing.</summary>
    public ClaimsReader? Object(string name) => TryGet(name, out var value) ? At(name, value) : null;

    public CredentialsException Wrong(string name, string expected) => new(CredentialsErrorCode.InvalidToken, $"'{path}.{name}' in the token must be {expected}.");

    private ClaimsReader At(string name, JsonElement value)
        => value.ValueKind == JsonValueKind.Object ? new ClaimsReader(value, $"{path}.{name}") : throw Wrong(name, "an object");

    private IEnumerable<string> Names() => element.EnumerateObject().Select(static member => member.Name);

    private JsonElement.ArrayEnumerator Elements(string name, JsonValueKind kind)
    {
        if (!TryGet(name, out var value)) return default;
        return value.ValueKind == kind ? value.EnumerateArray() : throw Wrong(name, "a list");
    }

    // Times that a date cannot have, such as milliseconds, mean what they say: long ago, or never.
    private static DateTimeOffset ToTime(long seconds) => DateTimeOffset.FromUnixTimeSeconds(Math.Clamp(seconds, MinSeconds, MaxSeconds));

    private bool TryGet(string name, [NotNullWhen(true)] out JsonElement value)
    {
        value = default;
        return element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out value) && value.ValueKind != JsonValueKind.Null;
    }
}
