using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>Leads requests of an account to the JetStream API of another domain, where the account has no streams of its own.</summary>
/// <remarks>Source: nats-server, <c>default_js_domain</c> and generateJSMappingTable.</remarks>
internal static class DefaultDomain
{
    // Each with a mapping of its own: the domain's subjects of buckets lie behind those of its API.
    private static readonly string[] Subjects =
        ["INFO", "STREAM.>", "CONSUMER.>", "DIRECT.>", "META.>", "SERVER.>", "ACCOUNT.>"];

    private static readonly string[] Buckets = ["$KV.>", "$OBJ.>"];

    /// <summary>The mappings of an account.</summary>
    /// <param name="domain">The domain; empty for none.</param>
    public static IReadOnlyList<SubjectMappingOptions> MappingsTo(string domain)
        => domain.Length == 0 ? [] : [.. Subjects.Select(subject => Map($"$JS.API.{subject}", domain, subject)), .. Buckets.Select(subject => Map(subject, domain, subject))];

    /// <summary>Whether a domain has an operation: what is said behind <c>$JS.domain.API.</c>.</summary>
    public static bool Has(ReadOnlySpan<byte> operation)
    {
        foreach (var subject in Subjects)
            if (Subject.Matches(operation, Encoding.ASCII.GetBytes(subject))) return true;
        return false;
    }

    private static SubjectMappingOptions Map(string from, string domain, string subject)
        => new() { Source = from, Destinations = [new SubjectMappingDestination($"$JS.{domain}.API.{subject}")] };
}
