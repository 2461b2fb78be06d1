namespace Postrider.Client.JetStream.Consuming;

/// <summary>Whether a message was acknowledged; shared by every copy of the message.</summary>
internal sealed class AckState
{
    private int _isClaimed;

    public bool IsClaimed => Volatile.Read(ref _isClaimed) != 0;

    /// <summary>Claims the only acknowledgement.</summary>
    /// <returns>False when it was claimed before.</returns>
    public bool TryClaim() => Interlocked.Exchange(ref _isClaimed, 1) == 0;
}
