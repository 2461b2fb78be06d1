using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Calls internal subscribers, and isolates publishers from their exceptions.</summary>
internal static class HandlerInvoker
{
    /// <summary>Whether an internal subscriber receives what this publisher sends.</summary>
    /// <param name="handler">The subscriber.</param>
    /// <param name="publisher">The publisher, or null for what the broker delivers.</param>
    public static bool IsReceiver(IInternalSubscriber handler, IPublishingClient? publisher) => publisher is not null || !handler.ServesClients;

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
        batch.CountCall();
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
        batch.CountCall();
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
