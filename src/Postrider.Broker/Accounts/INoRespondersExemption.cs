namespace Postrider.Broker.Accounts;

/// <summary>Subjects for which no-responders replies are suppressed.</summary>
internal interface INoRespondersExemption
{
    /// <summary>Whether the reply is suppressed for a subject.</summary>
    bool Suppresses(ReadOnlySpan<byte> subject);
}
