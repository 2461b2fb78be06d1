namespace Postrider.Client.JetStream.Consuming;

/// <summary>Whether a message was answered; shared by every copy of the message.</summary>
internal sealed class AckState
{
    private int _isClaimed;

    public bool IsClaimed => Volatile.Read(ref _isClaimed) != 0;

    /// <summary>Claims the one answer.</summary>
    /// <returns>False when it was given before.</returns>
    public bool TryClaim() => Interlocked.Exchange(ref _isClaimed, 1) == 0;
}
