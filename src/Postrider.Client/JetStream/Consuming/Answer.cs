namespace Postrider.Client.JetStream.Consuming;

/// <summary>Whether a message was answered; shared by every copy of the message.</summary>
internal sealed class Answer
{
    private int _isGiven;

    public bool IsGiven => Volatile.Read(ref _isGiven) != 0;

    /// <summary>Claims the one answer.</summary>
    /// <returns>False when it was given before.</returns>
    public bool TryGive() => Interlocked.Exchange(ref _isGiven, 1) == 0;
}
