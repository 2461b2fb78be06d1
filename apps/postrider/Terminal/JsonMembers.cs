using System.Text.Json;

namespace Postrider.CommandLine.Terminal;

/// <summary>Reads members of a server's JSON, which differ between versions: an absent one is empty.</summary>
internal static class JsonMembers
{
    /// <summary>A member, or a nested member; undefined if it is absent.</summary>
    internal static JsonElement At(this JsonElement value, params ReadOnlySpan<string> path)
    {
        foreach (var name in path)
            if (value.ValueKind != JsonValueKind.Object || !value.TryGetProperty(name, out value)) return default;
        return value;
    }

    internal static string? Text(this JsonElement value, params ReadOnlySpan<string> path)
        => value.At(path) is { ValueKind: JsonValueKind.String } text ? text.GetString() : null;

    internal static long Number(this JsonElement value, params ReadOnlySpan<string> path)
        => value.At(path) is { ValueKind: JsonValueKind.Number } number ? number.TryGetInt64(out var whole) ? whole : (long)number.GetDouble() : 0;

    internal static double Fraction(this JsonElement value, params ReadOnlySpan<string> path)
        => value.At(path) is { ValueKind: JsonValueKind.Number } number ? number.GetDouble() : 0;

    internal static IEnumerable<JsonElement> Items(this JsonElement value, params ReadOnlySpan<string> path)
        => value.At(path) is { ValueKind: JsonValueKind.Array } list ? list.EnumerateArray() : [];

    internal static DateTimeOffset? Time(this JsonElement value, params ReadOnlySpan<string> path)
        => value.At(path) is { ValueKind: JsonValueKind.String } text && text.TryGetDateTimeOffset(out var time) ? time : null;
}
