using System.Runtime.ExceptionServices;
using Postrider.Sockets;

namespace Postrider.Broker.Routing;

/// <summary>A service of the broker itself: it receives messages like a subscriber, on the publisher's thread.</summary>
internal interface IInternalSubscriber
{
    /// <summary>Whether it is given the subject that subscribers see, where that is not the one that the message was sent to: a consumer delivers to an
    /// inbox, and shows the subject under which its stream has the message.</summary>
    bool TakesShownSubject => false;

    /// <summary>Whether the service is one that accounts import from the system account: a message that is only traced ends before it.</summary>
    bool IsImported => false;

    /// <summary>Handles a message.</summary>
    /// <param name="publisher">Who published it, or null for the broker.</param>
    /// <param name="subject">Its subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject or nothing; valid during the call.</param>
    /// <param name="headers">Its header block or nothing; valid during the call.</param>
    /// <param name="payload">Its payload; valid during the call.</param>
    /// <param name="batch">The publisher's batch: answers go into it.</param>
    void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch);

    /// <summary>Answers for what <see cref="Handle"/> threw: neither whoever published the message nor the thread's other work is to
    /// suffer from it. A service logs it; one that does not implement this lets the publisher have the exception.</summary>
    /// <param name="subject">The message's subject; valid during the call.</param>
    /// <param name="replyTo">Its reply subject or nothing; valid during the call.</param>
    /// <param name="error">What was thrown.</param>
    /// <param name="batch">The publisher's batch.</param>
    void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch) => ExceptionDispatchInfo.Throw(error);
}
