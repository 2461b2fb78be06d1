using System.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Accounts;

/// <summary>An account: a separate subject space with its subscriptions.</summary>
/// <remarks>Thread-safe. It stays the same object as long as the account exists: a change replaces <see cref="Definition"/>.</remarks>
internal sealed class Account
{
    /// <summary>The account of clients that belong to no other account.</summary>
    public const string GlobalName = AccountOptions.GlobalName;

    /// <summary>The broker's own account, unless the options name another one.</summary>
    public const string SystemName = AccountOptions.DefaultSystemName;

    private Configuration _configuration;
    private AccountImports? _imports;
    private ReplyRoutes[] _replyRoutes = [];
    private PeerInterest? _interest;
    private int _connections;

    /// <summary>Creates an account of which only the name is known.</summary>
    public Account(string name) : this(new AccountOptions { Name = name })
    {
    }

    /// <summary>Creates an account.</summary>
    /// <param name="definition">Valid options of the account.</param>
    public Account(AccountOptions definition)
    {
        Name = definition.Name;
        _configuration = new Configuration(definition, []);
        TracesParents = definition.MessageTrace is not null;
    }

    /// <summary>Creates an account whose JetStream requests go to another domain.</summary>
    /// <param name="definition">Valid options of the account.</param>
    /// <param name="domain">The domain; empty or null for none.</param>
    public Account(AccountOptions definition, string? domain)
    {
        (Name, DefaultDomain) = (definition.Name, domain);
        _configuration = new Configuration(definition, DomainMappings(definition));
        TracesParents = definition.MessageTrace is not null;
    }

    /// <summary>The account's name.</summary>
    public string Name { get; }

    /// <summary>The name that monitoring shows: the name in its token, otherwise its own.</summary>
    public string NameTag => Definition.NameTag is { Length: > 0 } tag ? tag : Name;

    /// <summary>The JetStream domain that its requests go to while it has no streams of its own; empty for no particular one, null for none.</summary>
    public string? DefaultDomain { get; }

    /// <summary>Whether it is the system account.</summary>
    public bool IsSystem { get; init; }

    /// <summary>The account's options; see <see cref="Update"/>.</summary>
    public AccountOptions Definition => Volatile.Read(ref _configuration).Options;

    /// <summary>When the account was created or last changed.</summary>
    public DateTimeOffset UpdatedAt { get; set; }

    /// <summary>How many lines its clients may cause in the log.</summary>
    public LogAllowance LogAllowance { get; } = new();

    /// <summary>The account's subscriptions.</summary>
    public SubjectTree<Subscription> Subscriptions { get; } = new();

    /// <summary>The subjects without no-responders replies; null for none. Set before the account has clients.</summary>
    public INoRespondersExemption? NoRespondersExemption { get; set; }

    /// <summary>The services of the system account that it imports; null without that account. Set before the account has clients.</summary>
    public SystemImports? SystemImports { get; set; }

    /// <summary>The start of subjects of the API of the broker's own JetStream domain, <c>$JS.domain.API.</c>; null without streams or a domain.</summary>
    public byte[]? DomainApi { get; set; }

    /// <summary>Whether messages with a <c>traceparent</c> are traced.</summary>
    public bool TracesParents { get; private set; }

    /// <summary>The account's subject mappings; null for none.</summary>
    public SubjectMappings? Mappings => Volatile.Read(ref _configuration).Mappings;

    /// <summary>The streams and services that other accounts may import.</summary>
    public AccountExports Exports => Volatile.Read(ref _configuration).Exports;

    /// <summary>The account's interest as other servers know it.</summary>
    public PeerInterest Interest => Volatile.Read(ref _interest) ?? Interlocked.CompareExchange(ref _interest, new PeerInterest(Subscriptions, FindMapped), null) ?? _interest;

    /// <summary>The account's imports; null for none. Replaced by the registry.</summary>
    public AccountImports? Imports
    {
        get => Volatile.Read(ref _imports);
        set => Volatile.Write(ref _imports, value);
    }

    /// <summary>The pending requests of this account to other accounts.</summary>
    public IReadOnlyList<ReplyRoutes> ReplyRoutes => Volatile.Read(ref _replyRoutes);

    /// <summary>Client connections now.</summary>
    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Sums over closed connections of clients.</summary>
    public AccountTraffic ClosedTraffic { get; } = new();

    /// <summary>Sums over closed connections of leaf nodes.</summary>
    public AccountTraffic ClosedLeafTraffic { get; } = new();

    /// <summary>Sums over closed routes.</summary>
    public AccountTraffic ClosedRouteTraffic { get; } = new();

    /// <summary>Replaces the options. Open connections apply the change when they are notified.</summary>
    /// <param name="definition">Valid options with the account's name.</param>
    public void Update(AccountOptions definition)
    {
        Volatile.Write(ref _configuration, new Configuration(definition, DomainMappings(definition)));
        TracesParents = definition.MessageTrace is not null;
        // A connection that is attached meanwhile reads the new mappings, or is found here.
        Interlocked.MemoryBarrier();
        Volatile.Read(ref _interest)?.RefreshMapped();
    }

    /// <summary>Counts a new connection.</summary>
    /// <returns>False when the account has reached its maximum number of connections.</returns>
    public bool TryEnter()
    {
        var max = Definition.MaxConnections;
        if (Interlocked.Increment(ref _connections) <= max || max < 0) return true;
        Interlocked.Decrement(ref _connections);
        return false;
    }

    /// <summary>Counts a connection that ended.</summary>
    public void Leave() => Interlocked.Decrement(ref _connections);

    /// <summary>The subject of a message that comes from another account, after the account's mappings.</summary>
    /// <returns>Empty when a mapping drops the message.</returns>
    public ReadOnlySpan<byte> MapImported(ReadOnlySpan<byte> subject, Random random)
        => Mappings?.Map(subject, random) is { } mapped ? mapped : subject;

    /// <summary>Whether a subject has interest.</summary>
    public bool HasInterest(ReadOnlySpan<byte> subject)
    {
        var result = Subscriptions.Match(subject);
        return !result.IsEmpty && (result.Plain.Count != 1 || result.Groups.Length > 0 || InternalPublisher.HasInterest(result.Plain.Items[0], subject));
    }

    /// <summary>Registers the routes of requests that wait for responses from another account.</summary>
    public void AddReplyRoutes(ReplyRoutes routes)
    {
        ReplyRoutes[] before;
        do before = Volatile.Read(ref _replyRoutes);
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _replyRoutes, [.. before, routes], before), before));
    }

    /// <summary>Unregisters them.</summary>
    public void RemoveReplyRoutes(ReplyRoutes routes)
    {
        ReplyRoutes[] before;
        do before = Volatile.Read(ref _replyRoutes);
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _replyRoutes, [.. before.Where(known => !ReferenceEquals(known, routes))], before), before));
    }

    /// <summary>Ends requests whose reply subject has lost its last subscriber.</summary>
    /// <param name="subject">The subject that was unsubscribed from.</param>
    public void InterestLost(ReadOnlySpan<byte> subject)
    {
        foreach (var routes in Volatile.Read(ref _replyRoutes)) routes.InterestLost(subject);
    }

    private MappedInterest[] FindMapped() => [.. Definition.Mappings.Select(static mapping => new MappedInterest(Encoding.UTF8.GetBytes(mapping.Source)))];

    private IReadOnlyList<SubjectMappingOptions> DomainMappings(AccountOptions definition)
        => DefaultDomain is { } domain && definition.JetStream is null ? Accounts.DefaultDomain.MappingsTo(domain) : [];

    // One object, so that options, mappings and exports are replaced together.
    private sealed class Configuration(AccountOptions options, IReadOnlyList<SubjectMappingOptions> added)
    {
        public AccountOptions Options { get; } = options;

        public AccountExports Exports { get; } = AccountExports.Create(options);

        public SubjectMappings? Mappings { get; } = SubjectMappings.Create([.. options.Mappings, .. added]);
    }
}
