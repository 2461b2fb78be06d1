namespace Postrider.Envelopes;

/// <summary>How messages are exchanged with NServiceBus: its headers, and the message as JSON in the body.</summary>
/// <remarks>
/// Headers of NServiceBus and of Postrider: <c>NServiceBus.MessageId</c> and message id; <c>NServiceBus.ConversationId</c> and correlation
/// id, which is the conversation here (of a message that arrives without one, <c>NServiceBus.CorrelationId</c>);
/// <c>NServiceBus.RelatedTo</c> and causation id; <c>NServiceBus.ContentType</c> and content type;
/// <c>NServiceBus.EnclosedMessageTypes</c> and type; <c>NServiceBus.TimeToBeReceived</c>, counted from <c>NServiceBus.TimeSent</c>, and
/// expiry. <c>NServiceBus.MessageIntent</c> is <c>Publish</c> for notifications and otherwise <c>Send</c>. The headers of NServiceBus stay
/// on a message that arrives, and those that a message already has when it is sent are sent as they are. Control messages (subscriptions)
/// and requests with a response are not exchanged. Source: NServiceBus's pages on message headers and on native integration with RabbitMQ.
/// </remarks>
public sealed record NServiceBusOptions
{
    /// <summary>NServiceBus's full names of the message's type, such as <c>Shop.Contracts.OrderPlaced</c>, with or without an
    /// assembly: first the type, then the types that it can also be handled as. A binding rejects a message that names none of them; assemblies are
    /// not compared. Empty, the default, for the full name of the .NET type of the route or the binding.</summary>
    public IReadOnlyList<string> MessageTypes { get; init; } = [];

    /// <summary>The endpoint that NServiceBus sees as the sender: <c>NServiceBus.OriginatingEndpoint</c>. Null for none.</summary>
    public string? Endpoint { get; init; }

    /// <summary>The queue that replies go to: <c>NServiceBus.ReplyToAddress</c>. Null for none.</summary>
    public string? ReplyToAddress { get; init; }

    /// <summary>Checks the options.</summary>
    /// <param name="owner">The route or binding with the options: the beginning of the message.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal void Check(string owner)
    {
        foreach (var type in MessageTypes)
        {
            if (string.IsNullOrWhiteSpace(type) || type.Contains(';', StringComparison.Ordinal))
                throw new PostriderException(PostriderError.Configuration, $"{owner} with the message type '{type}' of NServiceBus: it must be a full name such as Shop.Contracts.OrderPlaced.");
        }

        if (Endpoint is { Length: 0 } || ReplyToAddress is { Length: 0 })
            throw new PostriderException(PostriderError.Configuration, $"{owner} with an empty Endpoint or ReplyToAddress of NServiceBus: set it to null for none.");
    }
}
