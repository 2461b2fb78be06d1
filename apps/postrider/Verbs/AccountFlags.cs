using System.CommandLine;
using Postrider.Credentials;

namespace Postrider.CommandLine.Verbs;

/// <summary>An account's limits and default permissions on the command line: given options replace values, the rest is kept.</summary>
internal sealed class AccountFlags
{
    private readonly PermissionFlags _defaults = new();
    private readonly Option<string?> _description = new("--description") { Description = "Description" };
    private readonly Option<TimeSpan?> _expires = AuthVerb.Expires();
    private readonly Option<long?> _connections = AuthVerb.Limit("--max-connections", "Number of connections");
    private readonly Option<long?> _leafNodes = AuthVerb.Limit("--max-leafnodes", "Number of leaf node connections");
    private readonly Option<long?> _subscriptions = AuthVerb.Limit("--max-subs", "Number of subscriptions");
    private readonly Option<long?> _payload = ByteSize.Create("--max-payload", "Size of a message; -1 for no limit");
    private readonly Option<long?> _imports = AuthVerb.Limit("--max-imports", "Number of imports");
    private readonly Option<long?> _exports = AuthVerb.Limit("--max-exports", "Number of exports");
    private readonly Option<bool?> _disallowBearer = new("--disallow-bearer") { Description = "Reject bearer tokens, which connect without a signature" };
    private readonly Option<long?> _memory = ByteSize.Create("--js-memory", "JetStream: bytes in memory; 0 for none, -1 for no limit");
    private readonly Option<long?> _disk = ByteSize.Create("--js-disk", "JetStream: bytes on disk; 0 for none, -1 for no limit");
    private readonly Option<long?> _streams = AuthVerb.Limit("--js-streams", "JetStream: number of streams");
    private readonly Option<long?> _consumers = AuthVerb.Limit("--js-consumers", "JetStream: number of consumers");

    internal IEnumerable<Option> All =>
    [
        _description, _expires, .. _defaults.All, _connections, _leafNodes, _subscriptions, _payload, _imports, _exports, _disallowBearer, _memory, _disk, _streams, _consumers,
    ];

    internal AccountClaims Apply(AccountClaims claims, ParseResult result) => claims with
    {
        Description = result.GetValue(_description) ?? claims.Description,
        Expires = AuthVerb.ExpiresAt(result, _expires, claims.Expires),
        DefaultPermissions = _defaults.Apply(claims.DefaultPermissions, result),
        Limits = claims.Limits with
        {
            MaxConnections = AuthVerb.LimitOf(result, _connections, claims.Limits.MaxConnections),
            MaxLeafNodes = AuthVerb.LimitOf(result, _leafNodes, claims.Limits.MaxLeafNodes),
            MaxSubscriptions = AuthVerb.LimitOf(result, _subscriptions, claims.Limits.MaxSubscriptions),
            MaxPayload = AuthVerb.LimitOf(result, _payload, claims.Limits.MaxPayload),
            MaxImports = AuthVerb.LimitOf(result, _imports, claims.Limits.MaxImports),
            MaxExports = AuthVerb.LimitOf(result, _exports, claims.Limits.MaxExports),
            DisallowBearer = result.GetValue(_disallowBearer) ?? claims.Limits.DisallowBearer,
            JetStream = ApplyJetStream(claims.Limits.JetStream, result),
        },
    };

    private JetStreamClaimLimits? ApplyJetStream(JetStreamClaimLimits? before, ParseResult result)
    {
        var limits = before ?? new JetStreamClaimLimits();
        limits = limits with
        {
            MemoryBytes = AuthVerb.LimitOf(result, _memory, limits.MemoryBytes),
            DiskBytes = AuthVerb.LimitOf(result, _disk, limits.DiskBytes),
            MaxStreams = AuthVerb.LimitOf(result, _streams, limits.MaxStreams),
            MaxConsumers = AuthVerb.LimitOf(result, _consumers, limits.MaxConsumers),
        };
        return limits.IsEnabled ? limits : null;
    }
}
