namespace Postrider.Broker.Accounts;

/// <summary>Subjects for which no-responders replies are suppressed.</summary>
internal interface INoRespondersExemption
{
    /// <summary>Whether nothing is to be said about a subject.</summary>
    bool Suppresses(ReadOnlySpan<byte> subject);
}
