using Amqp;

namespace Postrider.Transport.ServiceBus;

/// <summary>Messages that were sent in one transfer and wait for its outcome.</summary>
internal sealed class PendingTransfer(SenderLink link, List<PendingMessage> messages)
{
    private int _ended;

    internal SenderLink Link => link;

    internal List<PendingMessage> Messages => messages;

    /// <summary>Ends the wait.</summary>
    /// <returns>False if it had already ended: an outcome and the end of the link can arrive in any order.</returns>
    internal bool TryEnd() => Interlocked.Exchange(ref _ended, 1) == 0;
}
