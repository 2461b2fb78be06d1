using Postrider.Broker.Accounts;
using Postrider.Broker.Trust;

namespace Postrider.Broker.Monitoring;

/// <summary>One account as monitoring shows it.</summary>
public sealed record AccountState
{
    /// <summary>The account's name.</summary>
    public required string Name { get; init; }

    /// <summary>Whether it is the system account.</summary>
    public bool IsSystem { get; init; }

    /// <summary>When the account was created or last changed.</summary>
    public DateTimeOffset UpdatedAt { get; init; }

    /// <summary>Whether it has JetStream.</summary>
    public bool JetStream { get; init; }

    /// <summary>Open connections.</summary>
    public int Connections { get; init; }

    /// <summary>Current subscriptions, including the broker's own.</summary>
    public int Subscriptions { get; init; }

    /// <summary>Messages received from its connections, including those of leaf nodes, and over routes.</summary>
    public long InMessages { get; init; }

    /// <summary>Payload and header bytes received from them.</summary>
    public long InBytes { get; init; }

    /// <summary>Messages sent to its connections, including those of leaf nodes, and over routes.</summary>
    public long OutMessages { get; init; }

    /// <summary>Payload and header bytes sent to them.</summary>
    public long OutBytes { get; init; }

    /// <summary>Connections closed because they did not read fast enough.</summary>
    public long SlowConsumers { get; init; }

    /// <summary>The streams and services that it offers to other accounts.</summary>
    public IReadOnlyList<ExportOptions> Exports { get; init; } = [];

    /// <summary>The streams and services that it uses of other accounts.</summary>
    public IReadOnlyList<ImportOptions> Imports { get; init; } = [];

    /// <summary>Its subject mappings.</summary>
    public IReadOnlyList<SubjectMappingOptions> Mappings { get; init; } = [];

    /// <summary>Imports that had an effect and are no longer allowed.</summary>
    internal IReadOnlyList<ImportOptions> InvalidImports { get; init; } = [];

    /// <summary>Its leaf node connections.</summary>
    internal int LeafNodes { get; init; }

    /// <summary>Messages and bytes of leaf node connections, open and closed.</summary>
    internal AccountCounters LeafNodeTraffic { get; init; }

    /// <summary>Messages and bytes of routes, open and closed.</summary>
    internal AccountCounters RouteTraffic { get; init; }

    /// <summary>The shown name: the name in its token, otherwise its own.</summary>
    internal string? NameTag { get; init; }

    /// <summary>Its token; null for an account of the configuration.</summary>
    internal TrustedAccount? Trusted { get; init; }

    /// <summary>Its imported services; null for none.</summary>
    internal IReadOnlyList<ServiceImport>? Services { get; init; }

    /// <summary>Reads the pending requests of other accounts to this one.</summary>
    internal Func<IEnumerable<PendingReply>>? ReadPending { get; init; }
}
