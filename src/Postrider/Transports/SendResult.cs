namespace Postrider.Transports;

/// <summary>The result of one message of a batch.</summary>
/// <param name="Error">Why the message was not sent: one of the exceptions of <see cref="MessageSender.SendAsync"/>, or what the
/// transport's library threw; null if the transport has accepted it.</param>
public readonly record struct SendResult(Exception? Error)
{
    /// <summary>Whether the transport has accepted the message.</summary>
    public bool IsSent => Error is null;
}
