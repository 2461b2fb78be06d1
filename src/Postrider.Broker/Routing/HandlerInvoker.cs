using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Calls internal subscribers, and isolates publishers from their exceptions.</summary>
internal static class HandlerInvoker
{
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
