using System.Text;
using Postrider.Broker.Accounts;

namespace Postrider.Broker.JetStream.Api;

/// <summary>The subjects of an account's API: a request that is no operation gets no answer.</summary>
/// <remarks>
/// nats-server listens to all of them, so its requesters hear nothing; a status 503 would be read as "there is no JetStream".
/// Pulls and direct gets are not the API's there but each consumer's and stream's, so without one nobody listens.
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
