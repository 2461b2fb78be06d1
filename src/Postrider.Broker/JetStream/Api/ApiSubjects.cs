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
    private static readonly byte[] Prefix = "$JS.API."u8.ToArray();

    private readonly byte[] _domainPrefix = string.IsNullOrEmpty(domain) ? Prefix : Encoding.UTF8.GetBytes($"$JS.{domain}.API.");

    /// <inheritdoc/>
    public bool Suppresses(ReadOnlySpan<byte> subject)
    {
        var length = subject.StartsWith(Prefix) ? Prefix.Length : subject.StartsWith(_domainPrefix) ? _domainPrefix.Length : 0;
        var operation = subject[length..];
        return length > 0 && !operation.StartsWith("DIRECT.GET"u8) && !operation.StartsWith("CONSUMER.MSG.NEXT."u8);
    }
}
