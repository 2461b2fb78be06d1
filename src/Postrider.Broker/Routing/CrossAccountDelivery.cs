using System.Runtime.CompilerServices;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Routing;

/// <summary>Delivers messages published in an account to subscriptions that lead to another account.</summary>
internal static class CrossAccountDelivery
{
    /// <summary>Delivers a frame.</summary>
    /// <returns>Whether the message was delivered.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryDeliver(Subscription subscription, scoped in Frame frame, IPublishingClient? publisher, SendBatch batch)
    {
        if (subscription is not ImportedSubscription imported)
            return TryDeliver(subscription, new CrossAccountMessage(frame.Subject, [], frame.ReplyTo, frame.Headers, frame.Payload), publisher, batch);
        var shown = imported.SubjectOf(frame.Subject, frame.Subject);
        var conditions = imported.Conditions;
        if (!TryBegin(imported, conditions, shown, frame.ReplyTo, publisher, batch)) return false;
        var keepsHeaders = (conditions & DeliveryConditions.NoHeaders) == 0;
        if (keepsHeaders && shown == frame.Subject) imported.Write(in frame, batch);
        else imported.Write(shown, frame.ReplyTo, keepsHeaders ? frame.Headers : [], frame.Payload, batch);
        return true;
    }

    /// <summary>Delivers a message given by its parts.</summary>
    /// <returns>Whether the message was delivered.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryDeliver(Subscription subscription, scoped in CrossAccountMessage message, IPublishingClient? publisher, SendBatch batch)
    {
        if (subscription is CrossAccountSubscription across)
        {
            batch.CountCall();
            return across.Forwarder.TryForward(in message, publisher, chain: null, batch);
        }
        var imported = (ImportedSubscription)subscription;
        var shown = imported.SubjectOf(message.Subject, message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject);
        var conditions = imported.Conditions;
        if (!TryBegin(imported, conditions, shown, message.ReplyTo, publisher, batch)) return false;
        imported.Write(shown, message.ReplyTo, (conditions & DeliveryConditions.NoHeaders) != 0 ? [] : message.Headers, message.Payload, batch);
        return true;
    }

    private static bool TryBegin(
        ImportedSubscription imported, DeliveryConditions conditions, ReadOnlySpan<byte> shown, ReadOnlySpan<byte> replyTo, IPublishingClient? publisher, SendBatch batch)
        => !shown.IsEmpty && ConditionalDelivery.TryBegin(imported, conditions, shown, replyTo, publisher, batch, out _);
}
