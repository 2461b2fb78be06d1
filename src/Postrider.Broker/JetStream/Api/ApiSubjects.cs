using System.Text;
using Postrider.Broker.Accounts;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The subjects of an account's API: requests for unknown operations get no response.</summary>
/// <remarks>
/// nats-server subscribes to all of them, so requesters get no response; a status 503 would mean "there is no JetStream".
/// Pulls and direct gets are not part of the API there but of each consumer and stream, so without one they have no interest.
/// </remarks>
internal sealed class ApiSubjects(string? domain) : INoRespondersExemption
{
    private readonly byte[] _domainPrefix = string.IsNullOrEmpty(domain) ? [] : Encoding.UTF8.GetBytes($"$JS.{domain}.API.");

    private static ReadOnlySpan<byte> Prefix => "$JS.API."u8;

    /// <inheritdoc/>
    public bool Suppresses(ReadOnlySpan<byte> subject)
    {
        ReadOnlySpan<byte> operation;
        if (subject.StartsWith(Prefix)) operation = subject[Prefix.Length..];
        else if (_domainPrefix.Length > 0 && subject.StartsWith(_domainPrefix) && DefaultDomain.Has(subject[_domainPrefix.Length..])) operation = subject[_domainPrefix.Length..];
        else return false;
        return !operation.StartsWith("DIRECT.GET"u8) && !operation.StartsWith("CONSUMER.MSG.NEXT."u8);
    }
}
