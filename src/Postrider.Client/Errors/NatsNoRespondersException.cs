namespace Postrider.Client;

/// <summary>The subject of a request has no responders: the server replied with status 503.</summary>
/// <param name="subject">The request's subject.</param>
public sealed class NatsNoRespondersException(string subject)
    : NatsClientException(NatsErrorCode.NoResponders, $"No responders are listening on '{subject}'.")
{
    /// <summary>The request's subject.</summary>
    public string Subject { get; } = subject;
}
