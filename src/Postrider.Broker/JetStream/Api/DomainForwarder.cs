using System.Text;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Broker.Tracing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Publishes messages that are sent to a key or an object through the domain's API prefix, such as <c>$JS.hub.API.$KV.bucket.key</c>, to the
/// key itself: leaf nodes do not let <c>$KV</c> through.</summary>
/// <remarks>Source: nats-server, JetStream domains.</remarks>
/// <param name="account">The account.</param>
/// <param name="prefixBytes">The bytes before the key's own subject.</param>
internal sealed class DomainForwarder(JetStreamAccount account, int prefixBytes) : ITracedSubscriber
{
    /// <summary>Subscribes in an account whose server has a domain.</summary>
    public static void Subscribe(JetStreamAccount account)
    {
        if (account.Account.DomainApi is not { } prefix) return;
        var tree = account.Account.Subscriptions;
        foreach (var pattern in new[] { "$KV.>"u8.ToArray(), "$OBJ.>"u8.ToArray() })
        {
            byte[] subject = [.. prefix, .. pattern];
            var subscription = new Subscription(new DomainForwarder(account, prefix.Length), subject, []);
            if (tree.Add(subject, [], subscription)) account.ApiSubscriptions.Add(subscription);
        }
    }

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        var tree = account.Account.Subscriptions;
        var key = subject[prefixBytes..];
        if (!InternalPublisher.Publish(tree, key, key, replyTo, headers, payload, batch)) InternalPublisher.ReplyNoResponders(tree, subject, replyTo, batch);
    }

    /// <inheritdoc/>
    public void HandleTraced(
        MessageTrace trace,
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        var tree = account.Account.Subscriptions;
        var key = subject[prefixBytes..];
        trace.AddMapping(key);
        var message = new CrossAccountMessage(key, [], replyTo, headers, payload, trace);
        if (!TracedRouter.Publish(tree, in message, TraceOrigin.Client, publisher, batch)) InternalPublisher.ReplyNoResponders(tree, subject, replyTo, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(account.Engine.Logger, Encoding.UTF8.GetString(subject), error);
}
