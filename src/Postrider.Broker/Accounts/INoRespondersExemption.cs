namespace Postrider.Broker.Accounts;

/// <summary>Says where a request that nobody listens to is left without the answer that nobody does.</summary>
internal interface INoRespondersExemption
{
    /// <summary>Whether nothing is to be said about a subject.</summary>
    bool Suppresses(ReadOnlySpan<byte> subject);
}
