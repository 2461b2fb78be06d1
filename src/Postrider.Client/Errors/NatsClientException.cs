using Postrider.Serialization;

namespace Postrider.Client;

/// <summary>The exception of all failures of the client, with a code.</summary>
/// <param name="code">The kind of error.</param>
/// <param name="message">The message.</param>
/// <param name="inner">The cause, or null.</param>
public class NatsClientException(NatsErrorCode code, string message, Exception? inner = null) : Exception(message, inner), IServiceFailure
{
    /// <summary>The kind of error.</summary>
    public NatsErrorCode Code { get; } = code;

    /// <inheritdoc/>
    public ServiceFailureKind Kind => Code switch
    {
        NatsErrorCode.ConnectionFailed or NatsErrorCode.ConnectionLost or NatsErrorCode.StaleConnection or NatsErrorCode.HandshakeTimeout or NatsErrorCode.NoResponders
            or NatsErrorCode.ReconnectBufferFull or NatsErrorCode.JetStreamUnavailable or NatsErrorCode.ClientClosed or NatsErrorCode.ClientDraining => ServiceFailureKind.Unavailable,
        NatsErrorCode.RequestTimeout => ServiceFailureKind.Timeout,
        NatsErrorCode.WrongRevision => ServiceFailureKind.Conflict,
        _ => ServiceFailureKind.Other,
    };
}
