using System.Buffers.Text;
using System.Globalization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>The API level that the broker supports, and the levels that streams and consumers require.</summary>
internal static class ApiLevel
{
    /// <summary>The supported level.</summary>
    public const int Current = 5;

    /// <summary>Metadata: the level that an asset requires; stored with it.</summary>
    public const string RequiredKey = "_nats.req.level";

    /// <summary>Metadata: the supported level; only in responses.</summary>
    public const string LevelKey = "_nats.level";

    /// <summary>Metadata: the broker's version; only in responses.</summary>
    public const string VersionKey = "_nats.ver";

    private static readonly string CurrentText = Current.ToString(CultureInfo.InvariantCulture);

    /// <summary>Whether the level that a request's headers require, if any, is supported.</summary>
    public static bool IsSupported(ReadOnlySpan<byte> headers)
    {
        if (headers.IsEmpty || !MessageHeaders.TryFind(headers, "Nats-Required-Api-Level"u8, out var value) || value.IsEmpty) return true;
        return Utf8Parser.TryParse(value, out int level, out var used) && used == value.Length && level <= Current;
    }

    /// <summary>Whether the level that an asset's metadata requires is supported.</summary>
    public static bool IsSupported(IReadOnlyDictionary<string, string>? metadata)
        => metadata is null || !metadata.TryGetValue(RequiredKey, out var text) || text.Length == 0
            || (int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var level) && level <= Current);

    /// <summary>Metadata to store: the given one without the keys that only responses contain, plus the required level.</summary>
    public static Dictionary<string, string> ToKeep(IReadOnlyDictionary<string, string>? metadata, int requiredLevel)
    {
        var kept = Sorted(metadata);
        kept.Remove(LevelKey);
        kept.Remove(VersionKey);
        kept[RequiredKey] = requiredLevel.ToString(CultureInfo.InvariantCulture);
        return kept;
    }

    /// <summary>Metadata to show: the stored one, plus the broker's version and level.</summary>
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
