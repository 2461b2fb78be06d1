namespace Postrider.Envelopes;

/// <summary>How messages are exchanged with MassTransit 8. Received messages are read in both forms, whatever is written.</summary>
/// <remarks>
/// Members of the envelope and headers: <c>messageId</c> and message id; <c>conversationId</c> and correlation id, which is the
/// conversation here (of a message that arrives without one, <c>correlationId</c>); <c>initiatorId</c> and causation id;
/// <c>expirationTime</c> and expiry; <c>messageType</c> and type; the header <c>MT-Activity-Id</c> and the trace parent; <c>headers</c> and
/// the other headers. <c>correlationId</c>, <c>requestId</c> and the addresses arrive as headers with the names that MassTransit uses in
/// its raw form (<c>CorrelationId</c>, <c>RequestId</c>, <c>MT-Source-Address</c>, <c>MT-Response-Address</c>, <c>MT-Fault-Address</c>),
/// and such headers of a message that is sent are written as those members. <c>correlationId</c> is otherwise that of the conversation.
/// An id that is not a UUID is written as a UUID made of its hash, because MassTransit has no others. Bodies are JSON. Requests with a
/// response are not exchanged. Source: MassTransit's pages on interoperability and on serialization, and its <c>MessageEnvelope</c>.
/// </remarks>
public sealed record MassTransitOptions
{
    /// <summary>The form that is written; <see cref="MassTransitForm.Envelope"/> by default. Bindings read both.</summary>
    public MassTransitForm Form { get; init; }

    /// <summary>MassTransit's names of the message's type, such as <c>urn:message:Shop.Contracts:OrderPlaced</c>: first the type,
    /// then the types that it can also be handled as. A binding rejects a message that names none of them. Empty, the default, for the name that
    /// MassTransit gives to the .NET type of the route or the binding.</summary>
    public IReadOnlyList<string> MessageTypes { get; init; } = [];

    /// <summary>The address that MassTransit sees as the sender's, such as <c>queue:orders</c>: an absolute URI. Null for none.</summary>
    public string? SourceAddress { get; init; }

    /// <summary>Checks the options.</summary>
    /// <param name="owner">The route or binding with the options: the beginning of the message.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal void Check(string owner)
    {
        if (!Enum.IsDefined(Form))
            throw new PostriderException(PostriderError.Configuration, $"{owner} in the form {Form} of MassTransit, which does not exist. Supported: {MassTransitForm.Envelope}, {MassTransitForm.RawJson}.");
        foreach (var type in MessageTypes)
        {
            if (!type.StartsWith(MassTransitNames.UrnPrefix, StringComparison.OrdinalIgnoreCase) || type.Length == MassTransitNames.UrnPrefix.Length || type.Contains(';', StringComparison.Ordinal))
                throw new PostriderException(PostriderError.Configuration, $"{owner} with the message type '{type}' of MassTransit: it must be a name such as urn:message:Shop.Contracts:OrderPlaced.");
        }

        if (SourceAddress is not null && !Uri.TryCreate(SourceAddress, UriKind.Absolute, out _))
            throw new PostriderException(PostriderError.Configuration, $"{owner} with the source address '{SourceAddress}' of MassTransit: it must be an absolute URI such as queue:orders.");
    }
}
