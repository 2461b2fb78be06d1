using System.Runtime.ExceptionServices;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>A subscriber that is part of the broker: it receives messages on the publisher's thread.</summary>
internal interface IInternalSubscriber
{
    /// <summary>Whether it receives the subject that subscribers see, if that differs from the one that the message was sent to: a consumer delivers
    /// to an inbox, and shows the subject under which its stream has the message.</summary>
    bool TakesShownSubject => false;

    /// <summary>Whether accounts import the service from the system account: messages that are only traced do not reach it.</summary>
    bool IsImported => false;

    /// <summary>Whether it acts on requests, whose publishers' permissions were checked. Then it does not receive deliveries of the broker: clients
    /// choose the subjects of deliveries and replies, and could make the broker send requests that they may not send themselves.</summary>
    bool ServesClients => false;

    /// <summary>Handles a message.</summary>
    /// <param name="publisher">The publisher, or null for the broker.</param>
    /// <param name="subject">Its subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject, or empty; valid during the call.</param>
    /// <param name="headers">Its header block, or empty; valid during the call.</param>
    /// <param name="payload">Its payload; valid during the call.</param>
    /// <param name="batch">The publisher's batch, for responses.</param>
    void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch);

    /// <summary>Handles an exception of <see cref="Handle"/>, which must affect neither the publisher nor the thread's other work.
    /// A subscriber logs it; if it does not implement this method, the publisher gets the exception.</summary>
    /// <param name="subject">The message's subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject, or empty; valid during the call.</param>
    /// <param name="error">The exception.</param>
    /// <param name="batch">The publisher's batch.</param>
    void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => ExceptionDispatchInfo.Throw(error);
}
