using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Accounts;

/// <summary>A space of subjects of its own.</summary>
/// <remarks>Thread-safe. It stays the same object as long as the account exists: a change replaces <see cref="Definition"/>.</remarks>
internal sealed class Account
{
    /// <summary>The account of clients without one.</summary>
    public const string GlobalName = AccountOptions.GlobalName;

    /// <summary>The broker's own account, unless the options name another one.</summary>
    public const string SystemName = AccountOptions.DefaultSystemName;

    private Configuration _configuration;
    private AccountImports? _imports;
    private ReplyRoutes[] _replyRoutes = [];
    private PeerInterest? _interest;
    private int _connections;

    /// <summary>Makes an account that nothing is known of but its name.</summary>
    public Account(string name) : this(new AccountOptions { Name = name })
    {
    }

    /// <summary>Makes an account.</summary>
    /// <param name="definition">Valid options of the account.</param>
    public Account(AccountOptions definition)
    {
        Name = definition.Name;
        _configuration = new Configuration(definition, []);
    }

    /// <summary>Makes an account whose requests to JetStream go to another domain.</summary>
    /// <param name="definition">Valid options of the account.</param>
    /// <param name="domain">The domain; empty or null for none.</param>
    public Account(AccountOptions definition, string? domain)
    {
        (Name, DefaultDomain) = (definition.Name, domain);
        _configuration = new Configuration(definition, DomainMappings(definition));
    }

    /// <summary>The account's name.</summary>
    public string Name { get; }

    /// <summary>The name that monitoring shows: that of its token, or its own.</summary>
    public string NameTag => Definition.NameTag is { Length: > 0 } tag ? tag : Name;

    /// <summary>The JetStream domain that its requests go to while it has no streams of its own; empty for no particular one, null for none.</summary>
    public string? DefaultDomain { get; }

    /// <summary>Whether it is the system account.</summary>
    public bool IsSystem { get; init; }

    /// <summary>The account's options; see <see cref="Update"/>.</summary>
    public AccountOptions Definition => Volatile.Read(ref _configuration).Options;

    /// <summary>When the account was made or last changed.</summary>
    public DateTimeOffset UpdatedAt { get; set; }

    /// <summary>The account's subscriptions.</summary>
    public SubjectTree<Subscription> Subscriptions { get; } = new();

    /// <summary>The subjects without no-responders replies; null for none. Set before the account has clients.</summary>
    public INoRespondersExemption? NoRespondersExemption { get; set; }

    /// <summary>The services of the system account that it imports; null without that account. Set before the account has clients.</summary>
    public SystemImports? SystemImports { get; set; }

    /// <summary>Whether messages with a <c>traceparent</c> are traced.</summary>
    public bool TracesParents => Definition.MessageTrace is not null;

    /// <summary>Other subjects for published ones; null for none.</summary>
    public SubjectMappings? Mappings => Volatile.Read(ref _configuration).Mappings;

    /// <summary>What other accounts may import.</summary>
    public AccountExports Exports => Volatile.Read(ref _configuration).Exports;

    /// <summary>What other servers are told of the account's subscriptions.</summary>
    public PeerInterest Interest => Volatile.Read(ref _interest) ?? Interlocked.CompareExchange(ref _interest, new PeerInterest(Subscriptions), null) ?? _interest;

    /// <summary>What the account uses of others; null for nothing. Replaced by the registry.</summary>
    public AccountImports? Imports
    {
        get => Volatile.Read(ref _imports);
        set => Volatile.Write(ref _imports, value);
    }

    /// <summary>Its requests to other accounts that wait for answers.</summary>
    public IReadOnlyList<ReplyRoutes> ReplyRoutes => Volatile.Read(ref _replyRoutes);

    /// <summary>Client connections now.</summary>
    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Sums over closed connections.</summary>
    public AccountTraffic ClosedTraffic { get; } = new();

    /// <summary>Takes over changed options. Open connections take over what concerns them when they are told.</summary>
    /// <param name="definition">Valid options with the account's name.</param>
    public void Update(AccountOptions definition) => Volatile.Write(ref _configuration, new Configuration(definition, DomainMappings(definition)));

    /// <summary>Counts a connection in.</summary>
    /// <returns>False when the account has as many as it may have.</returns>
    public bool TryEnter()
    {
        var max = Definition.MaxConnections;
        if (Interlocked.Increment(ref _connections) <= max || max < 0) return true;
        Interlocked.Decrement(ref _connections);
        return false;
    }

    /// <summary>Counts a connection out.</summary>
    public void Leave() => Interlocked.Decrement(ref _connections);

    /// <summary>The subject of a message that comes from another account, after the account's mappings.</summary>
    /// <returns>Empty where a mapping loses it.</returns>
    public ReadOnlySpan<byte> MapImported(ReadOnlySpan<byte> subject, Random random)
        => Mappings?.Map(subject, random) is { } mapped ? mapped : subject;

    /// <summary>Whether a message to a subject would reach anybody.</summary>
    public bool HasInterest(ReadOnlySpan<byte> subject)
    {
        var result = Subscriptions.Match(subject);
        return !result.IsEmpty && (result.Plain.Count != 1 || result.Groups.Length > 0 || InternalPublisher.HasInterest(result.Plain.Items[0], subject));
    }

    /// <summary>Notes that requests of this account wait for answers of another one.</summary>
    public void AddReplyRoutes(ReplyRoutes routes)
    {
        ReplyRoutes[] before;
        do before = Volatile.Read(ref _replyRoutes);
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _replyRoutes, [.. before, routes], before), before));
    }

    /// <summary>Forgets them.</summary>
    public void RemoveReplyRoutes(ReplyRoutes routes)
    {
        ReplyRoutes[] before;
        do before = Volatile.Read(ref _replyRoutes);
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _replyRoutes, [.. before.Where(known => !ReferenceEquals(known, routes))], before), before));
    }

    /// <summary>Ends requests whose answers nobody listens to any more.</summary>
    /// <param name="subject">What was unsubscribed from.</param>
    public void InterestLost(ReadOnlySpan<byte> subject)
    {
        foreach (var routes in Volatile.Read(ref _replyRoutes)) routes.InterestLost(subject);
    }

    private IReadOnlyList<SubjectMappingOptions> DomainMappings(AccountOptions definition)
        => DefaultDomain is { } domain && definition.JetStream is null ? Accounts.DefaultDomain.MappingsTo(domain) : [];

    // What belongs together is replaced together.
    private sealed class Configuration(AccountOptions options, IReadOnlyList<SubjectMappingOptions> added)
    {
        public AccountOptions Options { get; } = options;

        public AccountExports Exports { get; } = AccountExports.Create(options);

        public SubjectMappings? Mappings { get; } = SubjectMappings.Create([.. options.Mappings, .. added]);
    }
}
