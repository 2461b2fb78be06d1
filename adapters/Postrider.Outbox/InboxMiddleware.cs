using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Handles each message once: its id is the first row of the handler's transaction.</summary>
internal sealed partial class InboxMiddleware(string name, bool hasDatabase, ILogger logger) : IReceiveMiddleware
{
    public void Check(ITransport transport, TransportBinding binding, Type message, bool replies)
    {
        if (replies)
            throw new PostriderException(PostriderError.Configuration, $"{message} is bound to '{binding.Source}' on transport '{transport.Name}' as a request, and the inbox '{name}' has no response for a message that was already handled: bind a command or a notification.");
        if (message.IsConstructedGenericType && message.GetGenericTypeDefinition() == typeof(MessageBatch<>))
            throw new PostriderException(PostriderError.Configuration, $"{message} is bound to '{binding.Source}' on transport '{transport.Name}', and the inbox '{name}' is one row in the transaction of one message, while a batch has a transaction of its own: bind the messages one by one, or make the handler of the batch recognize repetitions.");
        if (!hasDatabase)
            throw new PostriderException(PostriderError.Configuration, $"The inbox '{name}' on transport '{transport.Name}' has no database: call AddPostriderOutbox, and UseDataSource or UseDbContext on what it returns.");
    }

    public async ValueTask HandleAsync(ReceivedMessage message, ReceiveNext next, CancellationToken ct)
    {
        var session = message.Services.GetRequiredService<IOutboxSession>();
        var id = IdOf(message);
        if (!await session.HandleOnceAsync(ConsumerOf(message), id, ct => next(ct), ct).ConfigureAwait(false))
            LogDuplicate(logger, id, message.Envelope.Destination);
    }

    // Each consumer records separately which messages it has handled, even for the same source or message.
    private string ConsumerOf(ReceivedMessage message)
        => string.Join('/', name, message.Binding.Source, message.Binding.Group, message.Envelope.Delivery?.Consumer, message.MessageType.FullName);

    private static string IdOf(ReceivedMessage message)
    {
        if (message.Envelope.Headers[HeaderNames.MessageId] is { Length: > 0 } id)
            return MessageText.Checked("Message id", id, MessageText.MaxIdChars);
        // A store that numbers its messages keeps the number when it redelivers.
        if (message.Envelope.Delivery is { Sequence: > 0, Store: { } store } delivery)
            return MessageText.Checked("Message id", $"{store}/{delivery.Sequence}/{delivery.StoredAt?.UtcTicks}", MessageText.MaxIdChars);
        throw new PostriderException(
            PostriderError.Refused, $"The message at '{message.Envelope.Destination}' has no {HeaderNames.MessageId}, by which the inbox recognizes it: let its sender set one, or bind it without UseInbox.");
    }

    [LoggerMessage(1, LogLevel.Information, "Message {Id} at '{Source}' was already handled and is acknowledged.")]
    private static partial void LogDuplicate(ILogger logger, string id, string source);
}
