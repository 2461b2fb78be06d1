namespace Postrider.Broker;

/// <summary>An account: users with a subject space of their own. A message leaves its account only through an export and an
/// import.</summary>
/// <remarks>Not thread-safe; must not be changed once a broker has it.</remarks>
public sealed record AccountOptions
{
    /// <summary>The account of clients that belong to no other account.</summary>
    internal const string GlobalName = "$G";

    /// <summary>The system account, unless the options name another one.</summary>
    internal const string DefaultSystemName = "$SYS";

    /// <summary>The account's name. <c>$G</c> is the account of clients that belong to no other account.</summary>
    public required string Name { get; set; }

    /// <summary>The account's users. Names are unique in the whole broker.</summary>
    public IReadOnlyList<UserOptions> Users { get; set; } = [];

    /// <summary>Permissions of users without their own; null allows everything.</summary>
    public PermissionOptions? DefaultPermissions { get; set; }

    /// <summary>The limits of the account's streams; null disables JetStream for the account.</summary>
    public JetStreamAccountLimits? JetStream { get; set; }

    /// <summary>Maximum number of client connections; -1 for no limit, zero allows none.</summary>
    public int MaxConnections { get; set; } = -1;

    /// <summary>Maximum number of subscriptions per connection; -1 for no limit, zero allows no connection. The lower of this and
    /// <see cref="BrokerOptions.MaxSubscriptions"/> applies.</summary>
    public int MaxSubscriptions { get; set; } = -1;

    /// <summary>Maximum size of a message in bytes, headers included; -1 for no limit; below that not even empty messages are allowed. The lower of this and
    /// <see cref="BrokerOptions.MaxPayloadBytes"/> applies.</summary>
    public int MaxPayloadBytes { get; set; } = -1;

    /// <summary>Maximum number of leaf node connections; -1 for no limit.</summary>
    public int MaxLeafNodes { get; set; } = -1;

    /// <summary>Subjects that are published to other subjects instead, in order: the first that matches applies.</summary>
    public IReadOnlyList<SubjectMappingOptions> Mappings { get; set; } = [];

    /// <summary>The streams and services that other accounts may import.</summary>
    public IReadOnlyList<ExportOptions> Exports { get; set; } = [];

    /// <summary>The streams and services that the account uses of other accounts.</summary>
    public IReadOnlyList<ImportOptions> Imports { get; set; } = [];

    /// <summary>Where the traces of messages with a sampled <c>traceparent</c> header are sent; null traces only messages that name
    /// their own destination.</summary>
    public MessageTraceOptions? MessageTrace { get; set; }

    /// <summary>The name that the account's token gives it; null takes <see cref="Name"/>.</summary>
    internal string? NameTag { get; set; }
}
