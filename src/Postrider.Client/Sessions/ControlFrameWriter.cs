using System.Buffers;
using Postrider.Client.Payloads;
using Postrider.Wire.Frames;

namespace Postrider.Client.Sessions;

/// <summary>Renders SUB and UNSUB.</summary>
internal static class ControlFrameWriter
{
    public static byte[] Subscribe(NatsSubscription subscription) => Render(subscription, static (buffer, one) => Subscribe(buffer, one));

    public static byte[] Unsubscribe(NatsSubscription subscription) => Render(subscription, static (buffer, one) => Unsubscribe(buffer, one, 0));

    /// <summary>The SUB frames of all subscriptions, for a new connection.</summary>
    public static byte[] SubscribeAll(NatsSubscription[] subscriptions) => Render(subscriptions, static (buffer, all) =>
    {
        foreach (var subscription in all)
            if (!subscription.IsStopping && !subscription.IsEnded) Subscribe(buffer, subscription);
    });

    public static byte[] UnsubscribeAll(NatsSubscription[] subscriptions) => Render(subscriptions, static (buffer, all) =>
    {
        foreach (var subscription in all) Unsubscribe(buffer, subscription, 0);
    });

    private static byte[] Render<T>(T state, Action<PayloadBuffer, T> write)
    {
        var buffer = PayloadBuffer.Take();
        try
        {
            write(buffer, state);
            return buffer.Written.ToArray();
        }
        finally
        {
            buffer.Release();
        }
    }

    private static void Subscribe(PayloadBuffer buffer, NatsSubscription subscription)
    {
        var target = buffer.GetSpan(FrameWriter.MaxSubscribeBytes(subscription.Subject, subscription.QueueGroup));
        buffer.Advance(FrameWriter.WriteSubscribe(target, subscription.Subject, subscription.QueueGroup, subscription.Sid));
        if (subscription.RemainingMessages > 0) Unsubscribe(buffer, subscription, subscription.RemainingMessages);
    }

    private static void Unsubscribe(PayloadBuffer buffer, NatsSubscription subscription, long maxMessages)
        => buffer.Advance(FrameWriter.WriteUnsubscribe(buffer.GetSpan(FrameWriter.MaxUnsubscribeBytes), subscription.Sid, maxMessages));
}
