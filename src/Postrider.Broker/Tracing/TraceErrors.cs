namespace Postrider.Broker.Tracing;

/// <summary>Why a traced message was not delivered, in nats-server's words.</summary>
internal static class TraceErrors
{
    /// <summary>The client does not receive its own messages.</summary>
    public const string NoEcho = "Not delivered because of no echo";

    /// <summary>The subject is denied to the subscriber.</summary>
    public const string SubscriptionDenied = "Not delivered because subscription denies this subject";

    /// <summary>The subscription has ended.</summary>
    public const string SubscriptionClosed = "Not delivered because subscription is closed";

    /// <summary>The subscription has reached its maximum number of messages.</summary>
    public const string AutoUnsubscribed = "Not delivered because auto-unsubscribe exceeded";

    /// <summary>The message may not be sent to the leaf node.</summary>
    public const string PublishDenied = "Not delivered because publish denied for this subject";

    /// <summary>The other server would deliver a message that is only to be traced.</summary>
    public const string NoSupportOnly = "Not delivered because remote does not support message tracing";

    /// <summary>The other server does not report.</summary>
    public const string NoSupport = "Message delivered but remote does not support message tracing so no trace event generated from there";
}
