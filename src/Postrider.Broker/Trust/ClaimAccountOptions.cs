using System.Text;
using Postrider.Broker.Accounts;
using Postrider.Credentials;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Trust;

/// <summary>Converts the claims of an account to the broker's options.</summary>
internal static class ClaimAccountOptions
{
    // The tier of streams with one replica: a single broker has no others.
    private const string SingleReplica = "R1";

    /// <summary>Converts claims to options. Mappings that the broker cannot apply are left out.</summary>
    public static AccountOptions Create(AccountClaims claims) => new()
    {
        Name = claims.Subject,
        NameTag = claims.Name,
        DefaultPermissions = ClaimPermissionOptions.Create(claims.DefaultPermissions),
        MaxConnections = Limit(claims.Limits.MaxConnections),
        MaxSubscriptions = Limit(claims.Limits.MaxSubscriptions),
        MaxPayloadBytes = PayloadLimit(claims.Limits.MaxPayload),
        MaxLeafNodes = Limit(claims.Limits.MaxLeafNodes),
        JetStream = ReadStreams(claims.Limits),
        Mappings = ReadMappings(claims),
        MessageTrace = claims.Trace is { } trace && Subject.IsLiteral(Encoding.UTF8.GetBytes(trace.Destination))
            ? new MessageTraceOptions(trace.Destination, trace.Sampling is > 0 and <= 100 ? trace.Sampling : 100)
            : null,
    };

    /// <summary>A number of claims as the broker's limit: -1 for none, and 0 for negative numbers, which allow nothing either.</summary>
    public static int Limit(long? limit) => limit is { } number ? (int)Math.Clamp(number, 0, int.MaxValue) : -1;

    /// <summary>A size of claims as the broker's limit: -1 for none. Below that not even empty messages are allowed, unlike with 0.</summary>
    public static int PayloadLimit(long? limit) => (int)Math.Clamp(limit ?? -1, int.MinValue, int.MaxValue);

    private static JetStreamAccountLimits? ReadStreams(AccountLimits limits)
    {
        if (limits.JetStream is { } flat) return Create(flat);
        if (limits.JetStreamTiers.Count == 0) return null;
        // An account with tiers has JetStream; without a tier for one replica it cannot have streams here.
        return limits.JetStreamTiers.TryGetValue(SingleReplica, out var tier) ? Create(tier) with { Tier = SingleReplica } : new JetStreamAccountLimits { MaxMemoryBytes = 0, MaxStoreBytes = 0 };
    }

    private static JetStreamAccountLimits Create(JetStreamClaimLimits limits) => new()
    {
        MaxMemoryBytes = limits.MemoryBytes ?? -1,
        MaxStoreBytes = limits.DiskBytes ?? -1,
        MaxStreams = Limit(limits.MaxStreams),
        MaxConsumers = Limit(limits.MaxConsumers),
        MaxAckPending = Limit(limits.MaxAckPending),
        MaxMemoryStreamBytes = limits.MaxMemoryStreamBytes ?? -1,
        MaxFileStreamBytes = limits.MaxDiskStreamBytes ?? -1,
        MaxBytesRequired = limits.MaxBytesRequired,
    };

    /// <summary>Finds the first mapping that the broker cannot apply.</summary>
    /// <returns>A sentence; null when there is none.</returns>
    public static string? FindMappingProblem(AccountClaims claims)
        => AllMappings(claims).Select(static mapping => ProblemOf(mapping) is { } problem ? $"mapping {mapping.Source}: {problem}" : null).FirstOrDefault(static problem => problem is not null);

    private static string? ProblemOf(SubjectMappingOptions mapping) => BrokerOptionsValidator.SubjectProblem(mapping.Source, allowQueue: false) ?? SubjectMappings.FindProblem(mapping);

    private static SubjectMappingOptions[] ReadMappings(AccountClaims claims) => [.. AllMappings(claims).Where(static mapping => ProblemOf(mapping) is null)];

    private static IEnumerable<SubjectMappingOptions> AllMappings(AccountClaims claims)
        => claims.Mappings.OrderBy(static pair => pair.Key, StringComparer.Ordinal)
            .Select(static pair => new SubjectMappingOptions
            {
                Source = pair.Key,
                // A weight of 0 means 100 percent.
                Destinations = [.. pair.Value.Where(static one => string.IsNullOrEmpty(one.Cluster)).Select(static one => new SubjectMappingDestination(one.Subject, one.Weight == 0 ? 100 : one.Weight))],
            });
}
