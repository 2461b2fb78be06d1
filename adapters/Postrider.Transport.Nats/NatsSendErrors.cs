using System.Text;
using Postrider.Client;
using Postrider.Wire.Frames;

namespace Postrider.Transport.Nats;

/// <summary>Errors of the client as those of a transport.</summary>
internal static class NatsSendErrors
{
    /// <summary>Rejects a destination to which nothing can be published.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    public static void CheckDestination(string subject)
    {
        if (!Subject.IsLiteral(Encoding.UTF8.GetBytes(subject)) || subject.AsSpan().ContainsAny("\0\f"))
            throw new PostriderException(PostriderError.Configuration, $"'{subject}' is not a subject that a message can be sent to: it must consist of tokens separated by dots, such as 'orders.placed', without whitespace and wildcards.");
    }

    /// <summary>Whether the exception of a send has a counterpart: otherwise the client's own describes it best.</summary>
    public static bool HasCounterpart(NatsClientException failure) => failure.Code
        is NatsErrorCode.RequestTimeout or NatsErrorCode.ConnectionLost or NatsErrorCode.ConnectionFailed or NatsErrorCode.StaleConnection
        or NatsErrorCode.ReconnectBufferFull or NatsErrorCode.ClientClosed or NatsErrorCode.ClientDraining
        or NatsErrorCode.PermissionDenied or NatsErrorCode.PayloadTooLarge;

    /// <summary>The counterpart.</summary>
    /// <param name="failure">The client's exception.</param>
    /// <param name="client">The client.</param>
    /// <param name="destination">The subject of the message.</param>
    public static Exception Of(NatsClientException failure, NatsClient client, string destination) => failure.Code switch
    {
        // The server's limit applies to headers and body together.
        NatsErrorCode.PayloadTooLarge => new PostriderException(PostriderError.TooLarge, $"Message to '{destination}' with its headers: {failure.Message}", failure),
        NatsErrorCode.PermissionDenied => new PostriderException(PostriderError.Configuration, $"The client's user may not send to '{destination}': {failure.Message}", failure),
        // The server is there, so only the reply is late.
        NatsErrorCode.RequestTimeout when client.State == ConnectionState.Connected => new TimeoutException(failure.Message, failure),
        _ => new PostriderException(PostriderError.Unavailable, $"Message to '{destination}': {failure.Message}", failure),
    };
}
