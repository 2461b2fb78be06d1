using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>Calls internal services, and shields publishers from their exceptions.</summary>
internal static class HandlerInvoker
{
    /// <summary>Hands a message to a service.</summary>
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

    /// <summary>Hands a traced message to a service that reports what becomes of it.</summary>
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
