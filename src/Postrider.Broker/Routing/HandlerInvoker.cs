using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Calls internal subscribers, and isolates publishers from their exceptions.</summary>
internal static class HandlerInvoker
{
    /// <summary>Whether an internal subscriber receives what this publisher sends.</summary>
    /// <param name="handler">The subscriber.</param>
    /// <param name="publisher">The publisher, or null for what the broker delivers.</param>
    public static bool IsReceiver(IInternalSubscriber handler, IPublishingClient? publisher) => publisher is not null || !handler.ServesClients;

    /// <summary>Whether an internal subscriber receives a message that came from another account, if any.</summary>
    /// <remarks>A response is a delivery like a consumer's, because the requester chose its subject, but for the responses to a consumer's flow
    /// control, whose subject contains a random id of the consumer.</remarks>
    /// <param name="handler">The subscriber.</param>
    /// <param name="subject">The message's subject.</param>
    /// <param name="publisher">The publisher, or null for what the broker delivers.</param>
    /// <param name="chain">The forwards so far; null for none.</param>
    public static bool IsReceiver(IInternalSubscriber handler, ReadOnlySpan<byte> subject, IPublishingClient? publisher, ForwardingChain? chain)
        => IsReceiver(handler, chain is { IsResponse: true } && !IsFlowControl(subject) ? null : publisher);

    /// <summary>Whether a subject is that of responses to a consumer's flow control.</summary>
    public static bool IsFlowControl(ReadOnlySpan<byte> subject) => subject.StartsWith("$JS.FC."u8);

    /// <summary>Passes a message to an internal subscriber.</summary>
    public static void Invoke(
        IInternalSubscriber handler,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        batch.CountCall(headers.Length + payload.Length);
        try
        {
            handler.Handle(publisher, subject, replyTo, headers, payload, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            handler.OnFailed(subject, replyTo, error, batch);
        }
    }

    /// <summary>Passes a traced message to an internal subscriber that adds steps to the trace.</summary>
    public static void InvokeTraced(ITracedSubscriber handler, IPublishingClient? publisher, scoped in CrossAccountMessage message, SendBatch batch)
    {
        var subject = message.SubjectFor(handler);
        batch.CountCall(message.Headers.Length + message.Payload.Length);
        try
        {
            handler.HandleTraced(message.Trace!, publisher, subject, message.ReplyTo, message.Headers, message.Payload, batch);
        }
        catch (Exception error)
        {
            batch.DropIncomplete();
            handler.OnFailed(subject, message.ReplyTo, error, batch);
        }
    }
}
