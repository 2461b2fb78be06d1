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
        => TryDeliver(subscription, new CrossAccountMessage(frame.Subject, [], frame.ReplyTo, frame.Headers, frame.Payload), publisher, batch);

    /// <summary>Delivers a message given by its parts.</summary>
    /// <returns>Whether the message was delivered.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool TryDeliver(Subscription subscription, scoped in CrossAccountMessage message, IPublishingClient? publisher, SendBatch batch)
    {
        batch.CountCall();
        if (subscription is CrossAccountSubscription across) return across.Forwarder.TryForward(in message, publisher, chain: null, batch);
        var imported = (ImportedSubscription)subscription;
        var shown = imported.SubjectOf(message.Subject, message.ShownSubject.IsEmpty ? message.Subject : message.ShownSubject);
        var conditions = imported.Conditions;
        if (shown.IsEmpty || !ConditionalDelivery.TryBegin(imported, conditions, shown, message.ReplyTo, publisher, batch, out _)) return false;
        imported.Write(shown, message.ReplyTo, (conditions & DeliveryConditions.NoHeaders) != 0 ? [] : message.Headers, message.Payload, batch);
        return true;
    }
}
