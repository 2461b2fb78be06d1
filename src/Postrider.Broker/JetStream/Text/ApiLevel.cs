using System.Buffers.Text;
using System.Globalization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Which level of the API the broker serves, and which one a stream or consumer needs.</summary>
internal static class ApiLevel
{
    /// <summary>The level served.</summary>
    public const int Current = 5;

    /// <summary>Metadata: the level an asset needs; kept with it.</summary>
    public const string RequiredKey = "_nats.req.level";

    /// <summary>Metadata: the level served; only in answers.</summary>
    public const string LevelKey = "_nats.level";

    /// <summary>Metadata: the version served; only in answers.</summary>
    public const string VersionKey = "_nats.ver";

    private static readonly string CurrentText = Current.ToString(CultureInfo.InvariantCulture);

    /// <summary>Whether the level that a request's headers ask for, if they do, is served.</summary>
    public static bool IsSupported(ReadOnlySpan<byte> headers)
    {
        if (headers.IsEmpty || !MessageHeaders.TryFind(headers, "Nats-Required-Api-Level"u8, out var value) || value.IsEmpty) return true;
        return Utf8Parser.TryParse(value, out int level, out var used) && used == value.Length && level <= Current;
    }

    /// <summary>Whether the level that an asset's metadata asks for is served.</summary>
    public static bool IsSupported(IReadOnlyDictionary<string, string>? metadata)
        => metadata is null || !metadata.TryGetValue(RequiredKey, out var text) || text.Length == 0
            || (int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var level) && level <= Current);

    /// <summary>Metadata to keep: what was given, without what only answers show, with the level needed.</summary>
    public static Dictionary<string, string> ToKeep(IReadOnlyDictionary<string, string>? metadata, int requiredLevel)
    {
        var kept = Sorted(metadata);
        kept.Remove(LevelKey);
        kept.Remove(VersionKey);
        kept[RequiredKey] = requiredLevel.ToString(CultureInfo.InvariantCulture);
        return kept;
    }

    /// <summary>Metadata to show: what is kept, with the version and level served.</summary>
    public static Dictionary<string, string> ToShow(IReadOnlyDictionary<string, string>? metadata, string version)
    {
        var shown = Sorted(metadata);
        shown[LevelKey] = CurrentText;
        shown[VersionKey] = version;
        return Sorted(shown);
    }

    // nats-server writes maps in the order of their keys.
    private static Dictionary<string, string> Sorted(IReadOnlyDictionary<string, string>? metadata)
        => metadata is null
            ? new Dictionary<string, string>(StringComparer.Ordinal)
            : metadata.OrderBy(static pair => pair.Key, StringComparer.Ordinal).ToDictionary(static pair => pair.Key, static pair => pair.Value, StringComparer.Ordinal);
}
