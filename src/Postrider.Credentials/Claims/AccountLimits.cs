using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>The limits that an operator sets for an account. Null means no limit. A negative number allows less than 0 does: an account that is limited to
/// -5 imports is invalid even without an import, and may not publish even empty messages if <see cref="MaxPayload"/> is negative.</summary>
/// <remarks>-1 stands for null in a token.</remarks>
public sealed record AccountLimits
{
    /// <summary>The number of subscriptions.</summary>
    public long? MaxSubscriptions { get; init; }

    /// <summary>The number of bytes of data. Servers do not enforce it.</summary>
    public long? MaxData { get; init; }

    /// <summary>The size of a message in bytes; null for the server's limit.</summary>
    public long? MaxPayload { get; init; }

    /// <summary>The number of imports.</summary>
    public long? MaxImports { get; init; }

    /// <summary>The number of exports.</summary>
    public long? MaxExports { get; init; }

    /// <summary>Whether exports may have wildcards. Default true.</summary>
    public bool AllowWildcardExports { get; init; } = true;

    /// <summary>Whether bearer tokens are rejected. Default false.</summary>
    public bool DisallowBearer { get; init; }

    /// <summary>The number of connections.</summary>
    public long? MaxConnections { get; init; }

    /// <summary>The number of leaf node connections.</summary>
    public long? MaxLeafNodes { get; init; }

    /// <summary>The limits of the account's streams; null if it may have none, or limits of tiers apply.</summary>
    public JetStreamClaimLimits? JetStream { get; init; }

    /// <summary>The limits of streams by tier, such as <c>R1</c> and <c>R3</c>; empty if <see cref="JetStream"/> applies.</summary>
    public IReadOnlyDictionary<string, JetStreamClaimLimits> JetStreamTiers { get; init; } = new Dictionary<string, JetStreamClaimLimits>(StringComparer.Ordinal);

    internal static AccountLimits Read(ClaimsReader reader) => new()
    {
        MaxSubscriptions = reader.Limit("subs"),
        MaxData = reader.Limit("data"),
        MaxPayload = reader.Limit("payload"),
        MaxImports = reader.Limit("imports"),
        MaxExports = reader.Limit("exports"),
        AllowWildcardExports = reader.Flag("wildcards"),
        DisallowBearer = reader.Flag("disallow_bearer"),
        MaxConnections = reader.Limit("conn"),
        MaxLeafNodes = reader.Limit("leaf"),
        // Ignored if there are tiers.
        JetStream = reader.Object("tiered_limits")?.IsEmpty != false && JetStreamClaimLimits.Read(reader) is { IsEnabled: true } limits ? limits : null,
        JetStreamTiers = reader.Map("tiered_limits", static (tiers, tier) => JetStreamClaimLimits.Read(tiers.ObjectOrEmpty(tier))),
    };

    internal void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("limits");
        writer.Limit("subs", MaxSubscriptions);
        writer.Limit("data", MaxData);
        writer.Limit("payload", MaxPayload);
        writer.Limit("imports", MaxImports);
        writer.Limit("exports", MaxExports);
        writer.Flag("wildcards", AllowWildcardExports);
        writer.Flag("disallow_bearer", DisallowBearer);
        writer.Limit("conn", MaxConnections);
        writer.Limit("leaf", MaxLeafNodes);
        JetStream?.Write(writer);
        if (JetStreamTiers.Count > 0)
        {
            writer.WriteStartObject("tiered_limits");
            foreach (var (tier, limits) in JetStreamTiers.OrderBy(static pair => pair.Key, StringComparer.Ordinal))
            {
                writer.WriteStartObject(tier);
                limits.Write(writer);
                writer.WriteEndObject();
            }
            writer.WriteEndObject();
        }
        writer.WriteEndObject();
    }
}
