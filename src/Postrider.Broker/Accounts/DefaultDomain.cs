using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>Maps JetStream requests of an account without streams of its own to the API of another domain.</summary>
/// <remarks>Source: nats-server, <c>default_js_domain</c>.</remarks>
internal static class DefaultDomain
{
    // Each needs its own mapping: in the domain, the subjects of buckets come after the prefix of its API.
    private static readonly string[] Subjects =
        ["INFO", "STREAM.>", "CONSUMER.>", "DIRECT.>", "META.>", "SERVER.>", "ACCOUNT.>"];

    private static readonly string[] Buckets = ["$KV.>", "$OBJ.>"];

    /// <summary>The mappings of an account.</summary>
    /// <param name="domain">The domain; empty for none.</param>
    public static IReadOnlyList<SubjectMappingOptions> MappingsTo(string domain)
        => domain.Length == 0 ? [] : [.. Subjects.Select(subject => Map($"$JS.API.{subject}", domain, subject)), .. Buckets.Select(subject => Map(subject, domain, subject))];

    /// <summary>Whether a domain has an operation, given by the text after <c>$JS.domain.API.</c>.</summary>
    public static bool Has(ReadOnlySpan<byte> operation)
    {
        foreach (var subject in Subjects)
            if (Subject.Matches(operation, Encoding.ASCII.GetBytes(subject))) return true;
        return false;
    }

    private static SubjectMappingOptions Map(string from, string domain, string subject)
        => new() { Source = from, Destinations = [new SubjectMappingDestination($"$JS.{domain}.API.{subject}")] };
}
