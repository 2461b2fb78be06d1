using System.Text;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>Maps JetStream requests of an account without streams of its own to the API of another domain, and those to the own domain back.</summary>
/// <remarks>Source: nats-server, <c>default_js_domain</c> and JetStream domains.</remarks>
internal static class DefaultDomain
{
    // Each needs its own mapping: in the domain, the subjects of buckets come after the prefix of its API.
    private static readonly string[] Subjects =
        ["INFO", "STREAM.>", "CONSUMER.>", "DIRECT.>", "META.>", "SERVER.>", "ACCOUNT.>"];

    private static readonly string[] Buckets = ["$KV.>", "$OBJ.>"];

    private static readonly byte[][] Operations = [.. Subjects.Select(Encoding.ASCII.GetBytes)];

    /// <summary>The mappings of an account.</summary>
    /// <param name="domain">The domain; empty for none.</param>
    public static IReadOnlyList<SubjectMappingOptions> MappingsTo(string domain)
        => domain.Length == 0 ? [] : [.. Subjects.Select(subject => Map($"$JS.API.{subject}", domain, subject)), .. Buckets.Select(subject => Map(subject, domain, subject))];

    /// <summary>Whether a domain has an operation, given by the text after <c>$JS.domain.API.</c>.</summary>
    public static bool Has(ReadOnlySpan<byte> operation)
    {
        foreach (var known in Operations)
            if (Subject.Matches(operation, known)) return true;
        return false;
    }

    /// <summary>The subject that permissions are about, of a message to the API of the broker's own domain: nats-server maps it there first.</summary>
    /// <param name="operation">The text after <c>$JS.domain.API.</c>.</param>
    /// <returns>Null for anything but an operation or a key.</returns>
    public static byte[]? MapHere(ReadOnlySpan<byte> operation)
    {
        if (Has(operation)) return [.. "$JS.API."u8, .. operation];
        return Subject.Matches(operation, "$KV.>"u8) || Subject.Matches(operation, "$OBJ.>"u8) ? operation.ToArray() : null;
    }

    private static SubjectMappingOptions Map(string from, string domain, string subject)
        => new() { Source = from, Destinations = [new SubjectMappingDestination($"$JS.{domain}.API.{subject}")] };
}
